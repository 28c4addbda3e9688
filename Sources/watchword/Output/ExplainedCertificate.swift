internal import WatchwordMessages

/// Formats the part of `explain` about client certificates for a person.
struct ExplainedCertificate {
  /// Certificates that are listed.
  private static let shown = 8

  private let decisions: [Sent.IdentityDecision]
  private let candidates: [String]

  init(_ explained: Sent.ExplainedCertificate) {
    decisions = explained.decisions
    candidates = explained.candidates
  }

  /// Whether the names of identities must be looked up.
  var namesIdentities: Bool { !candidates.isEmpty || decisions.contains { $0.identity != nil } }

  /// - Parameter identities: of the session, as `identity/list` describes them.
  func lines(_ identities: [Sent.Identity]) -> [String] {
    func person(_ identifier: String) -> String {
      let identity = identities.first { $0.identity == identifier }
      return "\(identifier)\(identity.map { "  \(IdentityLine.person(of: $0))" } ?? "")"
    }
    var lines = decisions.map { decision in
      let names = decision.distinguishedNames
      let what =
        switch decision.choice {
        case "none": "none"
        case "identity": person(decision.identity ?? "")
        default: "by default handling"
        }
      return
        "certificate \(what), as decided for \(names.isEmpty ? "any authority" : names.joined(separator: "; "))"
    }
    guard !candidates.isEmpty else { return lines.isEmpty ? ["certificate none"] : lines }
    lines.append("certificate the first of these that fits what the server asks for:")
    lines += candidates.prefix(Self.shown).map { "              \(person($0))" }
    if candidates.count > Self.shown {
      lines.append("              and \(candidates.count - Self.shown) more")
    }
    return lines
  }
}
