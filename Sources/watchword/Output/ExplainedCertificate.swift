internal import WatchwordClient
internal import WatchwordJSON

/// Formats the part of `explain` about client certificates for a person.
struct ExplainedCertificate {
  /// Certificates that are listed.
  private static let shown = 8

  private let decisions: [JSONValue]
  private let candidates: [String]

  init(_ explained: JSONValue) {
    decisions = explained["decisions"]?.elements ?? []
    candidates = (explained["candidates"]?.elements ?? []).compactMap(\.text)
  }

  /// Whether the names of identities must be looked up.
  var namesIdentities: Bool { !candidates.isEmpty || decisions.contains { $0["identity"]?.text != nil } }

  /// - Parameter identities: of the session, as `identity/list` describes them.
  func lines(_ identities: [JSONValue]) -> [String] {
    func person(_ identifier: String) -> String {
      let identity = identities.first { $0["identity"]?.text == identifier }
      return "\(identifier)\(identity.map { "  \(IdentityLine.person(of: $0))" } ?? "")"
    }
    var lines = decisions.map { decision in
      let names = (decision["distinguishedNames"]?.elements ?? []).compactMap(\.text)
      let what =
        switch decision["choice"]?.text {
        case "none": "none"
        case "identity": person(decision["identity"]?.text ?? "")
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
