internal import WatchwordMessages
internal import WatchwordVocabulary

/// Shows a person at the terminal which server requests a client certificate, and asks which one to present.
final class IdentityQuestion {
  enum Choice {
    /// One of the session, by its id.
    case stored(String)
    case file(IdentityGiver)
    case none
    case cancel
    /// No answer.
    case nothing
    case settledElsewhere
  }

  /// How often an invalid answer or file is asked for again.
  private static let attempts = 3

  private let terminal: Terminal

  /// nil when the process has no terminal.
  init?() {
    guard let terminal = Terminal() else { return nil }
    self.terminal = consume terminal
  }

  /// The session's matching certificates, as `identity/list` describes them, the choice of default handling
  /// first.
  static func fitting(
    _ challenge: Sent.Challenge, through client: WatchwordClient
  ) throws(ClientError) -> [Sent.Identity] {
    let identifiers = challenge.identities ?? []
    guard !identifiers.isEmpty else { return [] }
    let listed = try client.call(Request.IdentityList(session: challenge.session)).identities
    return identifiers.compactMap { identifier in listed.first { $0.identity == identifier } }
  }

  /// - Parameters:
  /// - identities: the matching ones.
  /// - client: the connection of the challenge, when another process may answer it meanwhile.
  func ask(
    about challenge: Sent.Challenge, among identities: [Sent.Identity], through client: WatchwordClient?
  ) throws(ClientError) -> Choice {
    let isBegun = try terminal.beginDialog { () throws(ClientError) in
      try client?.stillAsks(about: challenge.challenge) ?? true
    }
    guard isBegun else { return .settledElsewhere }
    defer { terminal.endDialog() }
    terminal.show(IdentityQuestionText.introduction(challenge, identities))
    for _ in 0..<Self.attempts {
      switch try line(IdentityQuestionText.prompt(identities.count), about: challenge, through: client) {
      case .none: return .nothing
      case .notWanted: return .settledElsewhere
      case .line(let line):
        switch Self.text(line) {
        case "": return identities.first.map { .stored($0.identity) } ?? .nothing
        case "none": return .none
        case "cancel": return .cancel
        case let word:
          if let number = Int(word) {
            if identities.indices.contains(number - 1) { return .stored(identities[number - 1].identity) }
            terminal.show("there is no number \(number); ./\(number) is a file\n")
          } else if let choice = try file(word, about: challenge, through: client) {
            return choice
          }
        }
      }
    }
    return .nothing
  }

  /// Nil after a file that cannot be read.
  private func file(
    _ path: String, about challenge: Sent.Challenge, through client: WatchwordClient?
  ) throws(ClientError) -> Choice? {
    do throws(Failure) {
      let certificate = InputFile.underHome(path)
      var file = try IdentityFile(certificate: certificate, key: nil)
      var name = certificate
      if file.lacksKey {
        let prompt = "The file with its key: "
        let answer: Terminal.Answer
        do throws(ClientError) {
          answer = try line(prompt, about: challenge, through: client)
        } catch {
          throw Failure(error)
        }
        switch answer {
        case .none: return .nothing
        case .notWanted: return .settledElsewhere
        case .line(let line):
          guard !line.isEmpty else { return .nothing }
          name = InputFile.underHome(Self.text(line))
          file = try IdentityFile(certificate: certificate, key: name)
        }
      }
      return .file(IdentityGiver(file: file, name: name, askpass: nil, passphrase: nil))
    } catch {
      Diagnostics.report(error)
      return nil
    }
  }

  private func line(
    _ prompt: String, about challenge: Sent.Challenge, through client: WatchwordClient?
  ) throws(ClientError) -> Terminal.Answer {
    try terminal.ask(prompt, echo: true, watching: client?.number ?? -1) { () throws(ClientError) in
      try client?.stillAsks(about: challenge.challenge) ?? true
    }
  }

  /// A number, a word or the name of a file.
  private static func text(_ line: Secret) -> String {
    OctetText.text(of: line.withBytes { Array($0) })
  }
}

/// `challenge/reply` for `clientCertificate`.
enum IdentityReply {
  /// Presents an identity of the session.
  static func present(
    _ identifier: String, _ persistence: Persistence?, _ challenge: Sent.Challenge,
    through client: WatchwordClient
  ) throws(ClientError) {
    let credential = credential(.text(identifier), persistence)
    try ReplySender.send(.useCredential, credential, to: challenge, through: client)
  }

  static func presentNone(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) {
    try ReplySender.send(.useCredential, .some(nil), to: challenge, through: client)
  }

  /// Which identity, and for how long.
  static func credential(
    _ identity: TextOr<Request.IdentityMaterial>, _ persistence: Persistence?
  ) -> Request.Credential {
    Request.Credential(persistence: persistence, identity: identity)
  }
}
