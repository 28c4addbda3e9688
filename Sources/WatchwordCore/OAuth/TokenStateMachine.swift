package import WatchwordSecret
package import WatchwordVocabulary

/// The token of one OAuth source: who waits for it, when it is asked for again, and what became of it (challenges.md
/// 9.10).
///
/// One request serves all that wait, and a token serves all that ask while it is fresh. Time is monotonic, so that a
/// clock that is set changes nothing.
package struct TokenStateMachine: Sendable {
  package enum Effect: Sendable, Equatable {
    /// Send this request, then say `received`.
    case send(TokenRequest.Purpose)
    /// - Parameter seconds: how long it is still valid; nil: the server did not say.
    case give(UInt64, Secret, seconds: Double?)
    case fail(UInt64, SourceFault)
    /// Write the new refresh token into the administrator's file, then say `kept`.
    case keep(Secret)
  }

  /// What a reading wants.
  package struct Want: Sendable, Equatable {
    /// Credentials that the server has refused: none of them is given again.
    package var refused: [Credential.Kind] = []
    /// A token of this source has been refused under the same challenge: no other one is asked for.
    package var isRepeated = false

    package init() {}
  }

  private struct Token {
    let secret: Secret
    /// Nil: until it is refused.
    let end: Double?
    /// From when on another one is asked for.
    let renewal: Double
  }

  private let grant: OAuthClient.Grant
  private var token: Token?
  /// A newer one than that in the file.
  private var refreshToken: Secret?
  private var waiting: [UInt64] = []
  private var isSending = false
  /// The token that is asked for now is given to those that wait, and not kept.
  private var isForgetting = false
  /// The token that is sent came from memory.
  private var sendsOwnRefreshToken = false
  package private(set) var lastFault: SourceFault?

  package init(_ grant: OAuthClient.Grant) { self.grant = grant }

  package var isRequesting: Bool { isSending }

  /// Seconds that the token is still valid; nil: there is none, or its server does not say.
  package func secondsLeft(now: Double) -> Double? {
    token?.end.flatMap { $0 > now ? $0 - now : nil }
  }

  package func hasToken(now: Double) -> Bool { valid(now) != nil }

  // MARK: Events

  /// A reading wants a token; it gets `give` or `fail` with its number.
  package mutating func read(_ reader: UInt64, _ want: Want = Want(), now: Double) -> [Effect] {
    if let secret = token?.secret, want.refused.contains(.token(secret)) { token = nil }
    if let token = valid(now), now < token.renewal { return [give(token, to: reader, now)] }
    guard !want.isRepeated || valid(now) != nil else { return [.fail(reader, .tokensRefused)] }
    waiting.append(reader)
    return isSending ? [] : [ask()]
  }

  /// The reading is not wanted any more. A request that is under way goes on: its token serves the next reading.
  package mutating func leave(_ reader: UInt64) { waiting.removeAll { $0 == reader } }

  /// The token is not kept any longer. A refresh token that is not in its file stays: it is nowhere else.
  package mutating func forget() {
    token = nil
    isForgetting = isSending
  }

  /// The endpoint has answered, or could not.
  package mutating func received(
    _ result: Result<TokenReply.Answer, SourceFault>, now: Double
  ) -> [Effect] {
    guard isSending else { return [] }
    isSending = false
    switch result.flatMap(TokenReply.token) {
    case .success(let issued):
      lastFault = nil
      let end = issued.lifetime.map { now + $0 }
      let token = Token(
        secret: issued.token, end: end,
        renewal: issued.lifetime.map { now + $0 - min(Self.longestAhead, $0 / 4) } ?? .infinity)
      self.token = isForgetting ? nil : token
      isForgetting = false
      return keep(issued) + takeWaiting().map { give(token, to: $0, now) }
    case .failure(.grantRefused) where sendsOwnRefreshToken:
      // The administrator may have put another one into the file since.
      refreshToken = nil
      return waiting.isEmpty ? [] : [ask()]
    case .failure(let fault):
      isForgetting = false
      lastFault = fault
      // The last token is as good as it was.
      guard let token = valid(now) else { return takeWaiting().map { .fail($0, fault) } }
      return takeWaiting().map { give(token, to: $0, now) }
    }
  }

  /// The refresh token has been written into the file, or could not be: then it stays here.
  package mutating func kept(_ secret: Secret, _ fault: SourceFault?) {
    guard let fault else {
      if refreshToken == secret { refreshToken = nil }
      return
    }
    lastFault = fault
  }

  // MARK: Steps

  /// Another token is asked for so many seconds ahead of the end, or after three quarters of the time.
  private static let longestAhead = 60.0

  private func valid(_ now: Double) -> Token? {
    token.flatMap { token in token.end.map { now < $0 } ?? true ? token : nil }
  }

  private func give(_ token: Token, to reader: UInt64, _ now: Double) -> Effect {
    .give(reader, token.secret, seconds: token.end.map { $0 - now })
  }

  private mutating func ask() -> Effect {
    isSending = true
    sendsOwnRefreshToken = refreshToken != nil
    switch grant {
    case .clientCredentials: return .send(.clientCredentials)
    case .refreshToken: return .send(.refresh(refreshToken))
    }
  }

  private mutating func keep(_ issued: IssuedToken) -> [Effect] {
    // RFC 6749 §4.4.3: client credentials need none.
    guard grant == .refreshToken, let new = issued.refreshToken else { return [] }
    refreshToken = new
    return [.keep(new)]
  }

  private mutating func takeWaiting() -> [UInt64] {
    defer { waiting = [] }
    return waiting
  }
}
