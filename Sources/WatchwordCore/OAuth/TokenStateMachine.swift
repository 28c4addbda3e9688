package import WatchwordVocabulary

/// The token of one OAuth source: who waits for it, when it is asked for again, and what became of it
/// (methods.md 9.10).
///
/// One request serves all that wait, and a token serves all that ask while it is fresh. Time is monotonic, so
/// that a clock that is set changes nothing.
package struct TokenStateMachine: Sendable {
  package enum Effect: Sendable, Equatable {
    /// Send this request, then say `received`.
    case send(TokenRequest.Purpose)
    /// End the request that is under way, if there is one; nothing is said about it.
    case cancel
    /// - Parameter seconds: how long it is still valid; nil: the server did not say.
    case give(UInt64, Secret, seconds: Double?)
    case fail(UInt64, SourceFault)
    /// A person must enter this code; it takes the place of an earlier one.
    case show(UInt64, DevicePrompt)
    /// Write the new refresh token into the administrator's file, then say `kept`.
    case keep(Secret)
  }

  /// What a reading wants.
  package struct Want: Sendable, Equatable {
    /// Credentials that the server has refused: none of them is given again.
    package var refused: [Credential.Kind] = []
    /// A token of this source has been refused under the same challenge: no other one is asked for.
    package var isRepeated = false
    /// A code can be shown to a person.
    package var mayPrompt = false

    package init() {}
  }

  private struct Token {
    let secret: Secret
    /// Nil: until it is refused.
    let end: Double?
    /// From when on another one is asked for.
    let renewal: Double
  }

  private struct Reader {
    let number: UInt64
    let mayPrompt: Bool
  }

  private enum Phase {
    case idle
    /// A token is asked for.
    case requesting
    /// A person is asked.
    case prompting(DeviceFlow)
  }

  private let grant: OAuthClient.Grant
  private let hasFile: Bool
  private var phase = Phase.idle
  private var token: Token?
  /// A newer one than that in the file.
  private var refreshToken: Secret?
  private var waiting: [Reader] = []
  /// The token that is asked for now is given to those that wait, and not kept.
  private var isForgetting = false
  /// The token that is sent came from memory.
  private var sendsOwnRefreshToken = false
  package private(set) var lastFault: SourceFault?

  /// - Parameter hasFile: whether refresh tokens are kept in a file of the administrator's.
  package init(_ grant: OAuthClient.Grant, hasFile: Bool) {
    self.grant = grant
    self.hasFile = hasFile
  }

  /// Seconds that the token is still valid; nil: there is none, or its server does not say.
  package func secondsLeft(now: Double) -> Double? {
    token?.end.flatMap { $0 > now ? $0 - now : nil }
  }

  package func hasToken(now: Double) -> Bool { valid(now) != nil }

  /// Whether a person has a code to enter.
  package var isPrompting: Bool { flow?.prompt != nil }

  /// When `tick` must be called next; nil when nothing is due.
  package var nextTick: Double? { flow?.nextPoll }

  // MARK: Events

  /// A reading wants a token; it gets `give` or `fail` with its number, perhaps after `show`.
  package mutating func read(_ reader: UInt64, _ want: Want = Want(), now: Double) -> [Effect] {
    if let secret = token?.secret, want.refused.contains(.token(secret)) { token = nil }
    if let token = valid(now), now < token.renewal { return [give(token, to: reader, now)] }
    guard !want.isRepeated || valid(now) != nil else { return [.fail(reader, .tokensRefused)] }
    switch phase {
    case .idle:
      waiting.append(Reader(number: reader, mayPrompt: want.mayPrompt))
      return ask(now)
    case .requesting:
      waiting.append(Reader(number: reader, mayPrompt: want.mayPrompt))
      return []
    case .prompting(let flow):
      guard want.mayPrompt else { return [.fail(reader, .promptNeeded)] }
      waiting.append(Reader(number: reader, mayPrompt: want.mayPrompt))
      return flow.prompt.map { [.show(reader, $0)] } ?? []
    }
  }

  /// The reading is not wanted any more. A request for a token that is under way goes on: its token serves
  /// the next reading. A person is asked only as long as a reading waits.
  package mutating func leave(_ reader: UInt64) -> [Effect] {
    waiting.removeAll { $0.number == reader }
    guard waiting.isEmpty, case .prompting = phase else { return [] }
    end()
    return [.cancel]
  }

  /// The token is not kept any longer. A refresh token that is not in its file stays, since it is nowhere
  /// else; one that a person can give again goes.
  package mutating func forget() {
    token = nil
    if grant == .deviceCode { refreshToken = nil }
    isForgetting = if case .idle = phase { false } else { true }
  }

  /// Carries out what is due.
  package mutating func tick(now: Double) -> [Effect] {
    guard case .prompting(var flow) = phase else { return [] }
    let outcome = flow.tick(now: now)
    phase = .prompting(flow)
    return carryOut(outcome, now)
  }

  /// The endpoint has answered, or could not.
  package mutating func received(
    _ result: Result<TokenReply.Answer, SourceFault>, now: Double
  ) -> [Effect] {
    switch phase {
    case .idle: return []
    case .prompting(var flow):
      let outcome = flow.received(result, now: now)
      phase = .prompting(flow)
      return carryOut(outcome, now)
    case .requesting:
      switch result.flatMap(TokenReply.token) {
      case .success(let issued): return install(issued, now)
      case .failure(let fault): return failed(fault, now)
      }
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

  private var flow: DeviceFlow? {
    guard case .prompting(let flow) = phase else { return nil }
    return flow
  }

  private func valid(_ now: Double) -> Token? {
    token.flatMap { token in token.end.map { now < $0 } ?? true ? token : nil }
  }

  private func give(_ token: Token, to reader: UInt64, _ now: Double) -> Effect {
    .give(reader, token.secret, seconds: token.end.map { $0 - now })
  }

  private mutating func ask(_ now: Double) -> [Effect] {
    sendsOwnRefreshToken = refreshToken != nil
    switch grant {
    case .clientCredentials:
      phase = .requesting
      return [.send(.clientCredentials)]
    case .deviceCode where refreshToken == nil && !hasFile: return prompt(now)
    case .refreshToken, .deviceCode:
      phase = .requesting
      return [.send(.refresh(refreshToken))]
    }
  }

  /// A person is asked for the readings that can show a code. As long as a token is valid, it serves instead.
  private mutating func prompt(_ now: Double) -> [Effect] {
    if let token = valid(now) {
      end()
      return takeWaiting().map { give(token, to: $0, now) }
    }
    let unable = waiting.filter { !$0.mayPrompt }
    waiting.removeAll { !$0.mayPrompt }
    let failures = unable.map { Effect.fail($0.number, .promptNeeded) }
    guard !waiting.isEmpty else {
      end()
      return failures
    }
    phase = .prompting(DeviceFlow())
    return [.send(.deviceAuthorization)] + failures
  }

  private mutating func carryOut(_ outcome: DeviceFlow.FlowStep, _ now: Double) -> [Effect] {
    switch outcome {
    case .wait: return []
    case .send(let purpose): return [.send(purpose)]
    case .show(let prompt): return waiting.map { .show($0.number, prompt) }
    case .token(let issued): return install(issued, now)
    case .fail(let fault): return failed(fault, now)
    }
  }

  private mutating func install(_ issued: IssuedToken, _ now: Double) -> [Effect] {
    lastFault = nil
    let token = Token(
      secret: issued.token, end: issued.lifetime.map { now + $0 },
      renewal: issued.lifetime.map { now + $0 - min(Self.longestAhead, $0 / 4) } ?? .infinity)
    let kept = keep(issued)
    self.token = isForgetting ? nil : token
    end()
    return kept + takeWaiting().map { give(token, to: $0, now) }
  }

  private mutating func failed(_ fault: SourceFault, _ now: Double) -> [Effect] {
    if case .requesting = phase {
      if fault == .grantRefused, sendsOwnRefreshToken {
        refreshToken = nil
        if waiting.isEmpty {
          end()
          return []
        }
        // The administrator may have put another one into the file since.
        return ask(now)
      }
      // A refresh token that is not there, or not valid any more: a person gives another one.
      let isPersonNeeded = [.grantRefused, .unreadable, .empty].contains(fault)
      if grant == .deviceCode, isPersonNeeded { return prompt(now) }
    }
    end()
    lastFault = fault
    // The last token is as good as it was.
    guard let token = valid(now) else { return takeWaiting().map { .fail($0, fault) } }
    return takeWaiting().map { give(token, to: $0, now) }
  }

  private mutating func keep(_ issued: IssuedToken) -> [Effect] {
    // RFC 6749 §4.4.3: client credentials need none.
    guard grant != .clientCredentials, let new = issued.refreshToken else { return [] }
    if hasFile {
      refreshToken = new
      return [.keep(new)]
    }
    refreshToken = isForgetting ? nil : new
    return []
  }

  private mutating func end() {
    phase = .idle
    isForgetting = false
  }

  private mutating func takeWaiting() -> [UInt64] {
    defer { waiting = [] }
    return waiting.map(\.number)
  }
}
