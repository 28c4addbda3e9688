internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives

/// The question for an askpass program: `PLACE: WANTED: `, as in messages.md 16.3.
///
/// The place is first, so that no text of a server can precede it; the wanted item is last, where a program can match
/// it regardless of the server's text. The shell client uses the same text.
struct AskpassPrompt {
  /// Origin and remarks, or the name of a key.
  private let place: String

  /// For a challenge: `ORIGIN (METHOD[, realm "REALM"][, REMARK]…)`.
  ///
  /// - Parameter ways: what callers have chosen of the way to the server.
  init(_ challenge: Sent.Challenge, over ways: [String]) {
    let space = challenge.protectionSpace
    var remarks = [DisplayText.escaped(space.authenticationMethod)]
    if let realm = space.realm {
      // A key has a field in place of a realm.
      let isKey = space.authenticationMethod == "key"
      remarks.append(isKey ? "field \(DisplayText.escaped(realm))" : "realm \(DisplayText.quoted(realm))")
    }
    if space.isProxy { remarks.append("proxy") }
    if let host = challenge.hostField { remarks.append("to \(DisplayText.escaped(host))") }
    if let proxy = challenge.proxy { remarks.append("through \(DisplayText.escaped(proxy))") }
    remarks += ways.map(CallersWayText.remark)
    if !space.receivesCredentialSecurely { remarks.append("over cleartext") }
    if challenge.error?.kind == "weakerOffer" { remarks.append("weaker than before") }
    if challenge.previousFailureCount > 0 { remarks.append("refused before") }
    place = "\(DisplayText.escaped(SpaceText.origin(of: space))) (\(remarks.joined(separator: ", ")))"
  }

  /// For the key of a client certificate: its file or `pkcs11:` URI.
  init(key name: String) { place = DisplayText.escaped(name) }

  /// `proposed` is the user for an empty answer.
  func user(proposed: String?) -> String {
    text("User\(proposed.map { " [\(DisplayText.escaped($0))]" } ?? "")")
  }

  func password(of user: String) -> String { text("Password for \(DisplayText.escaped(user))") }

  var token: String { text("Token") }

  var key: String { text("Key") }

  /// `name` is `Passphrase` or `PIN`.
  func passphrase(called name: String) -> String { text(name) }

  private func text(_ wanted: String) -> String { "\(place): \(wanted): " }
}
