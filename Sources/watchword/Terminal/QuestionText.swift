internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The text of a challenge for a person: the origin first, then the server's own text, escaped.
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
  init(_ challenge: Sent.Challenge, ownWays: [String]) {
    let space = challenge.protectionSpace
    let others = challenge.callersWays.filter { !ownWays.contains($0) }
    ways = others.map(CallersWayText.line)
    proxy = challenge.proxy.map { DisplayText.escaped($0) }
    host = challenge.hostField.map { DisplayText.escaped($0) }
    origin = (space.isProxy ? "proxy " : "") + DisplayText.escaped(SpaceText.origin(of: space))
    realm = space.realm.map { DisplayText.escaped($0) }
    method = DisplayText.escaped(space.authenticationMethod)
    isRepeated = challenge.previousFailureCount > 0
    isReadableOnTheWay =
      !space.receivesCredentialSecurely && ["basic", "bearer", "htmlForm", "key", "default"].contains(method)
      && !Self.isLoopback(space.host)
    let error = challenge.error
    let isWeaker = error?.kind == "weakerOffer"
    stronger = isWeaker ? Self.offer(error?.previous) : nil
    offered = Self.offer(error?.offered)
    fault = isWeaker ? nil : error.map { DisplayText.escaped($0.kind) }
    isUnlock = method == "agentUnlock"
    isKey = method == "key"
    wantsUser = method != "bearer" && !isKey && !isUnlock
    proposedUser = challenge.proposedCredential?.user
    prompt = isUnlock ? AskpassPrompt(key: "lock") : AskpassPrompt(challenge, over: others)
  }

  var introduction: String {
    if isUnlock { return "the agent is locked\n" }
    if isKey {
      let cleartext = "careful: the connection is not encrypted; the key can be read on the way\n"
      return "a key for \(origin) in the field \(realm ?? "")\n" + wayLines
        + (isReadableOnTheWay ? cleartext : "")
    }
    let wanted = wantsUser ? "a user and a password" : "a token"
    // Nobody has asked yet, and so nobody has said by which method.
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
