internal import WatchwordMessages
internal import WatchwordVocabulary

/// Formats stored credentials for a person: user, space, uses. The daemon never sends the secret.
struct CredentialLine {
  private let credential: Sent.StoredCredential
  private var methods: [String]
  private var uses: Int
  private var lastUsed: String?

  private init(_ credential: Sent.StoredCredential) {
    self.credential = credential
    methods = [credential.protectionSpace.authenticationMethod]
    uses = credential.uses
    lastUsed = credential.lastUsed
  }

  /// A line for each; what was given for several methods at once, as git's passwords are, has one.
  static func texts(of credentials: [Sent.StoredCredential]) -> [String] {
    var lines: [CredentialLine] = []
    for line in credentials.map(CredentialLine.init) {
      guard let last = lines.last, last.wasGiven(with: line) else {
        lines.append(line)
        continue
      }
      lines[lines.count - 1].add(line)
    }
    return lines.map(\.text)
  }

  private func wasGiven(with other: CredentialLine) -> Bool {
    credential.kind == "password" && credential.created == other.credential.created && plain == other.plain
  }

  private mutating func add(_ other: CredentialLine) {
    methods += other.methods
    uses += other.uses
    // Timestamps are in order as texts.
    lastUsed = [lastUsed, other.lastUsed].compactMap(\.self).max()
  }

  /// What is the same of credentials that were given at once.
  private var plain: String {
    var line = self
    (line.methods, line.uses, line.lastUsed) = ([], 0, nil)
    return line.text
  }

  private var text: String {
    let user = credential.user.map { DisplayText.escaped($0) } ?? credential.kind
    var text =
      "\(user) at \(SpaceText.text(of: credential.protectionSpace, methods: methods)), \(credential.persistence)"
    if let prefixes = credential.limits.pathPrefixes {
      text += ", below \(prefixes.map { DisplayText.escaped($0) }.joined(separator: " and "))"
    }
    text += ", used \(uses) time\(uses == 1 ? "" : "s")"
    if let lastUsed { text += ", last \(DisplayText.escaped(lastUsed))" }
    if let left = credential.secondsLeft { text += ", \(Quantity.seconds(left)) left" }
    if credential.readable { text += ", readable" }
    if let prefix = credential.prefix { text += ", prefix \(DisplayText.quoted(prefix))" }
    if credential.preemptive { text += ", sent with the first request" }
    if credential.isDefault { text += ", default" }
    return text
  }
}

/// What a person is shown of a client certificate, stored or in a token.
protocol ShownCertificate {
  var subject: String { get }
  var issuer: String { get }
  var notAfter: String { get }
  var keyType: String { get }
}

extension Sent.Identity: ShownCertificate {}
extension Sent.TokenCertificate: ShownCertificate {}

/// Formats a client certificate for a person: the id to remove it with, then its subject.
enum IdentityLine {
  static func text(of identity: Sent.Identity) -> String {
    var text = "\(DisplayText.escaped(identity.identity))  \(person(of: identity))"
    if let uri = identity.pkcs11 { text += " in \(DisplayText.escaped(uri))" }
    if let origin = identity.origin { text += ", for \(DisplayText.escaped(origin)) only" }
    if identity.persistence == "permanent" { text += ", permanent" }
    text += ", presented \(identity.uses) time\(identity.uses == 1 ? "" : "s")"
    if let last = identity.lastUsed { text += ", last \(DisplayText.escaped(last))" }
    if let left = identity.secondsLeft { text += ", \(Quantity.seconds(left)) left" }
    return text
  }

  /// The URI of its key to add it with, then its subject.
  static func text(ofTokenCertificate element: Sent.TokenCertificate) -> String {
    "\(DisplayText.escaped(element.pkcs11))  \(person(of: element))"
  }

  /// Its subject, issuer and expiry.
  static func person(of identity: some ShownCertificate) -> String {
    let words = [identity.subject, identity.issuer, identity.notAfter, identity.keyType].map {
      DisplayText.escaped($0)
    }
    return "\(words[0]), issued by \(words[1]), good until \(words[2]), \(words[3]) key"
  }
}

/// Formats a decision about a server's certificates for a person: the id to remove it with, then the origin.
enum TrustLine {
  static func text(of decision: Sent.TrustDecision) -> String {
    var text = "\(DisplayText.escaped(decision.trust))  \(DisplayText.escaped(decision.origin))"
    text +=
      decision.scope == "publicKey"
      ? " by its key \(DisplayText.escaped(decision.publicKey))" : " by its certificate"
    text += ", \(DisplayText.escaped(decision.subject)), \(DisplayText.escaped(decision.persistence))"
    text += ", used \(decision.uses) time\(decision.uses == 1 ? "" : "s")"
    if let last = decision.lastUsed { text += ", last \(DisplayText.escaped(last))" }
    let excused = TrustReasonText.sentences(decision.excused)
    return text + (excused.isEmpty ? "" : "; excused: \(excused.joined(separator: ", "))")
  }
}

/// A source whose credential the server has refused, on one line.
enum RefusedSourceLine {
  /// `pages for https://a.test basic "staff": refused by the server, read again after 2026-11-22T12:00:00Z`.
  static func text(of refused: Sent.RefusedSource) -> String {
    let time = refused.readAfter.map { "after \(DisplayText.escaped($0))" } ?? "when it is needed"
    let space = SpaceText.text(of: refused.protectionSpace)
    return "\(DisplayText.escaped(refused.source)) for \(space): refused by the server, read again \(time)"
  }
}

/// Rows in aligned columns, without lines.
struct Table {
  private var rows: [[String]]
  private let numbers: Set<Int>

  /// - Parameter numbers: columns that end in line.
  init(_ heading: [String], numbers: Set<Int> = []) {
    rows = [heading]
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        let isLast = column == row.count - 1
        line += numbers.contains(column) ? gap + cell : isLast ? cell : cell + gap
        if !isLast { line += "  " }
      }
      return line + "\n"
    }.joined()
  }
}
