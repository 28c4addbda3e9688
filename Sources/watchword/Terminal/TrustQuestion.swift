internal import WatchwordMessages
internal import WatchwordVocabulary

/// Shows a person at the terminal the faults of a server's certificates, and asks whether to continue.
///
/// Only a whole word accepts them, as with ssh: a key meant for another question must not.
final class TrustQuestion {
  enum Choice: Equatable {
    /// For the waiting fetches only.
    case once
    case session
    /// For every session, and after restarts of the daemon.
    case always
    case no
    /// No answer.
    case nothing
    case settledElsewhere
  }

  /// How often an invalid answer is asked for again.
  private static let attempts = 3

  private static let prompt = "Accept? once (this fetch only), session, always, no: "

  private static let explanation = "that is none of the answers: write once, session, always or no\n"

  private let terminal: Terminal

  /// nil when the process has no terminal.
  init?() {
    guard let terminal = Terminal() else { return nil }
    self.terminal = consume terminal
  }

  /// Begins a dialog that lasts until the daemon has the reply; false when another process has answered.
  func beginDialog(about challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError)
    -> Bool
  {
    try terminal.beginDialog { () throws(ClientError) in try client.stillAsks(about: challenge.challenge) }
  }

  func endDialog() { terminal.endDialog() }

  /// - Parameter client: the connection of the challenge, when another process may answer it meanwhile.
  func ask(about challenge: Sent.Challenge, through client: WatchwordClient?) throws(ClientError) -> Choice {
    let isWanted = { () throws(ClientError) -> Bool in
      try client?.stillAsks(about: challenge.challenge) ?? true
    }
    let watched = client?.number ?? -1
    guard try terminal.beginDialog(stillWanted: isWanted) else { return .settledElsewhere }
    defer { terminal.endDialog() }
    terminal.show(introduction(challenge))
    for _ in 0..<Self.attempts {
      let answer = try terminal.ask(Self.prompt, echo: true, watching: watched, stillWanted: isWanted)
      switch answer {
      case .none: return .nothing
      case .notWanted: return .settledElsewhere
      case .line(let line):
        switch line.withBytes({ String(decoding: $0, as: UTF8.self) }).asciiLowercased {
        case "once": return .once
        case "session": return .session
        case "always": return .always
        case "no", "n": return .no
        case "": return .nothing
        default: terminal.show(Self.explanation)
        }
      }
    }
    return .nothing
  }

  /// Asks for a line before the request is sent; for `-k`.
  func reason(_ prompt: String) throws(ClientError) -> String? {
    guard case .line(let line) = try terminal.ask(prompt, echo: true) else { return nil }
    return line.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func introduction(_ challenge: Sent.Challenge) -> String {
    let space = challenge.protectionSpace
    let proxy = space.isProxy ? "proxy " : ""
    let origin = DisplayText.escaped(SpaceText.origin(of: space))
    let trust = space.serverTrust
    let verdict = trust?.verdict == "trusted" ? "shows its certificate" : "is not trusted"
    var text = "\(proxy)\(origin) \(verdict)\n"
    if let trust { text += ServerTrustText.reasons(trust) }
    if let leaf = trust?.certificates.first { text += ServerTrustText.certificate(leaf) }
    return text
  }
}

/// Sends `challenge/reply` for `serverTrust`.
enum TrustReply {
  static func accept(
    _ scope: TrustScope, _ persistence: Persistence?, _ challenge: Sent.Challenge,
    because reason: String? = nil, through client: WatchwordClient
  ) throws(ClientError) {
    try ReplySender.send(
      .useCredential, credential(scope, persistence), because: reason, to: challenge, through: client)
  }

  /// Which part of the chain is accepted, and for how long.
  static func credential(_ scope: TrustScope, _ persistence: Persistence?) -> Request.Credential {
    Request.Credential(persistence: persistence, trust: scope)
  }
}
