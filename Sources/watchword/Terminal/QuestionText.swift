internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// What a person is asked for a credential about: a challenge, or a server that has not asked.
struct CredentialQuestion {
  /// As people write it.
  let origin: String
  let host: String
  let isProxy: Bool
  /// `default` when no server has asked: the method is not known.
  let method: String
  /// Of a key, which no server asks for, its field.
  let realm: String?
  let isSecure: Bool
  /// What callers have chosen of the way to the server.
  let callersWays: [String]
  /// That a `Host` field names in place of the URL's.
  let hostField: String?
  /// That the task has chosen.
  var proxy: String?
  var proposedUser: String?
  var wasRefused = false
  var error: Sent.ChallengeError?

  init(_ challenge: Sent.Challenge) {
    let space = challenge.protectionSpace
    origin = SpaceText.origin(of: space)
    host = space.host
    isProxy = space.isProxy
    method = space.authenticationMethod
    realm = space.realm
    isSecure = space.receivesCredentialSecurely
    callersWays = challenge.callersWays
    hostField = challenge.hostField
    proxy = challenge.proxy
    proposedUser = challenge.proposedCredential?.user
    wasRefused = challenge.previousFailureCount > 0
    error = challenge.error
  }

  /// About a server that has not asked.
  init(before origin: SpaceOptions.Origin, method: String, realm: String?) {
    self.origin = SpaceText.origin(origin.scheme, origin.host, origin.port)
    host = origin.host
    isProxy = origin.isProxy
    self.method = method
    self.realm = realm
    isSecure = origin.scheme == "https"
    callersWays = origin.callersWays
    hostField = origin.hostField
  }
}

/// The question as text for a person: the origin first, then the server's own text, escaped.
struct QuestionText {
  private let origin: String
  /// That the task has chosen.
  private let proxy: String?
  /// That a `Host` field names in place of the URL's.
  private let host: String?
  /// What callers have chosen of the way, in words.
  private let ways: [String]
  private let realm: String?
  private let method: String
  private let isRepeated: Bool
  private let isReadableOnTheWay: Bool
  /// False for Bearer and keys, which need no user, and for the lock of the agent.
  let wantsUser: Bool
  /// Whether it is a key for a header field, which no server asks for: the field is in place of the realm.
  private let isKey: Bool
  /// Whether it is stored before any challenge.
  private var isBefore: Bool { method == "default" }
  /// Whether the agent is locked and wants its passphrase.
  let isUnlock: Bool
  let proposedUser: String?
  /// The server's earlier offer if it was stronger, and the current one.
  private let stronger: String?
  private let offered: String
  /// Why a credential for Negotiate could not be used.
  private let fault: String?
  private let prompt: AskpassPrompt

  /// - Parameter ownWays: what this program has chosen itself of the way to the server; it need not be told.
  init(_ question: CredentialQuestion, ownWays: [String]) {
    let others = question.callersWays.filter { !ownWays.contains($0) }
    ways = others.map(CallersWayText.line)
    proxy = question.proxy.map { DisplayText.escaped($0) }
    host = question.hostField.map { DisplayText.escaped($0) }
    origin = (question.isProxy ? "proxy " : "") + DisplayText.escaped(question.origin)
    realm = question.realm.map { DisplayText.escaped($0) }
    method = DisplayText.escaped(question.method)
    isRepeated = question.wasRefused
    isReadableOnTheWay =
      !question.isSecure && ["basic", "bearer", "htmlForm", "key", "default"].contains(method)
      && !Self.isLoopback(question.host)
    let error = question.error
    let isWeaker = error?.kind == "weakerOffer"
    stronger = isWeaker ? Self.offer(error?.previous) : nil
    offered = Self.offer(error?.offered)
    fault = isWeaker ? nil : error.map { DisplayText.escaped($0.kind) }
    isUnlock = method == "agentUnlock"
    isKey = method == "key"
    wantsUser = method != "bearer" && !isKey && !isUnlock
    proposedUser = question.proposedUser
    prompt = isUnlock ? AskpassPrompt(key: "lock") : AskpassPrompt(question, over: others)
  }

  var introduction: String {
    if isUnlock { return "the agent is locked\n" }
    if isKey {
      let cleartext = "careful: the connection is not encrypted; the key can be read on the way\n"
      return "a key for \(origin) in the field \(realm ?? "")\n" + wayLines
        + (isReadableOnTheWay ? cleartext : "")
    }
    let wanted = wantsUser ? "a user and a password" : "a token"
    // No server has asked: the method is not known.
    var text = isBefore ? "\(wanted) for \(origin)\n" : "\(origin) asks for \(wanted) (\(method))\n"
    if let host { text += "to \(host), which a Host field names\n" }
    if let proxy { text += "through the proxy \(proxy), which the fetch has chosen\n" }
    text += wayLines
    if let realm { text += "realm: \"\(realm)\"\n" }
    if let fault { text += "the credential before could not be used: \(fault)\n" }
    if isRepeated { text += "the server refused what was sent before\n" }
    if let stronger {
      text += "careful: this server has asked for \(stronger) before, which is stronger than \(offered)\n"
    }
    if isReadableOnTheWay {
      let secret = wantsUser ? "password" : "token"
      text += "careful: the connection is not encrypted; the \(secret) can be read on the way\n"
    }
    return text
  }

  private var wayLines: String { ways.map { "careful: \($0)\n" }.joined() }

  var userPrompt: String { "User\(proposedUser.map { " [\(DisplayText.escaped($0))]" } ?? ""): " }

  func secretPrompt(_ user: String?) -> String {
    if isUnlock { return "Passphrase of the lock: " }
    guard wantsUser else { return isKey ? "Key: " : "Token: " }
    return "Password\(user.map { " for \(DisplayText.escaped($0))" } ?? ""): "
  }

  /// Asks the program for what is missing; nil when it gave no answer.
  func ask(_ askpass: Askpass, user: String?) throws(Failure) -> Questioner.Answer? {
    if isUnlock {
      return try askpass.ask(prompt.passphrase(called: "Passphrase")).map(Questioner.Answer.init(passphrase:))
    }
    guard wantsUser else {
      return try askpass.ask(isKey ? prompt.key : prompt.token).map {
        Questioner.Answer(user: nil, secret: $0)
      }
    }
    var user = user
    if user == nil {
      guard let line = try askpass.ask(prompt.user(proposed: proposedUser)) else { return nil }
      let named = line.withBytes { String(decoding: $0, as: UTF8.self) }
      user = named.isEmpty ? proposedUser : named
    }
    guard let user, let secret = try askpass.ask(prompt.password(of: user), takesOctets: true) else {
      return nil
    }
    return Questioner.Answer(user: user, secret: secret)
  }

  /// `digest (SHA-256)`.
  private static func offer(_ offer: Sent.OfferStrength?) -> String {
    let algorithm = offer?.algorithm.map { " (\($0))" } ?? ""
    return DisplayText.escaped((offer?.authenticationMethod ?? "") + algorithm)
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.")
  }
}

/// Sends `challenge/reply` of any kind.
enum ReplySender {
  static func cancel(_ challenge: Sent.Challenge, through client: WatchwordClient) throws(ClientError) {
    try send(.cancelAuthenticationChallenge, to: challenge, through: client)
  }

  /// - Parameters:
  ///   - credential: nil for other dispositions than `useCredential`; a nil in it says that there is none.
  ///   - reason: for the history.
  ///   - size: bytes to reserve for the credential.
  @discardableResult
  static func send(
    _ disposition: Disposition, _ credential: Request.Credential?? = nil, because reason: String? = nil,
    to challenge: Sent.Challenge, through client: WatchwordClient, reserving size: Int = 0
  ) throws(ClientError) -> WatchwordClient.Reply<Sent.AcceptedReply> {
    let reply = Request.ChallengeReply(
      challenge: challenge.challenge, disposition: disposition, credential: credential, because: reason)
    return try client.callReply(reply, reserving: size)
  }
}

extension WatchwordClient {
  /// Whether no other process has answered the challenge; reads what has arrived.
  func stillAsks(about challenge: String) throws(ClientError) -> Bool {
    var arrived = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while poll(&arrived, 1, 0) > 0 { try receive() }
    return !hasNotification {
      guard case .challengeDidSettle(let settled) = $0 else { return false }
      return settled.challenge == challenge
    }
  }
}
