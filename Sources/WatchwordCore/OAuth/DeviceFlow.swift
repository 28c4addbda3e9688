package import WatchwordVocabulary

/// One attempt to have a person let a source have a token: the codes that are shown, and when the token
/// endpoint is asked about them (RFC 8628 §3.4 and §3.5).
struct DeviceFlow: Sendable, Equatable {
  enum FlowStep: Sendable, Equatable {
    /// Nothing before `nextPoll`.
    case wait
    case show(DevicePrompt)
    case send(TokenRequest.Purpose)
    case token(IssuedToken)
    case fail(SourceFault)
  }

  private enum Step: Sendable, Equatable {
    /// A code is asked for.
    case authorizing
    /// A person has the code; the endpoint is asked at this time.
    case waiting(until: Double)
    case polling
  }

  /// A person who lets so many codes expire is not there.
  private static let maximumCodes = 3
  /// A request that is not answered is repeated after twice the time (RFC 8628 §3.5), and not later than
  /// this.
  private static let longestInterval = 120.0

  private var step = Step.authorizing
  private var issued: IssuedCode?
  private var end = 0.0
  private var interval = 0.0
  private var codes = 1

  /// The code that a person has now.
  var prompt: DevicePrompt? { issued?.prompt }

  /// When `tick` must be called; nil while an answer is expected.
  var nextPoll: Double? {
    guard case .waiting(let time) = step else { return nil }
    return time
  }

  mutating func tick(now: Double) -> FlowStep {
    guard case .waiting(let time) = step, time <= now, let issued else { return .wait }
    guard now < end else { return askForCode() }
    step = .polling
    return .send(.deviceCode(issued.code))
  }

  mutating func received(_ result: Result<TokenReply.Answer, SourceFault>, now: Double) -> FlowStep {
    switch step {
    case .authorizing: takeCode(result.flatMap(IssuedCode.code), now)
    case .polling: takeToken(result, now)
    case .waiting: .wait
    }
  }

  private mutating func takeCode(_ result: Result<IssuedCode, SourceFault>, _ now: Double) -> FlowStep {
    switch result {
    case .success(let code):
      issued = code
      end = now + code.lifetime
      interval = code.interval
      wait(now)
      return .show(code.prompt)
    case .failure(let fault): return .fail(fault)
    }
  }

  private mutating func takeToken(_ result: Result<TokenReply.Answer, SourceFault>, _ now: Double) -> FlowStep
  {
    if case .success(let answer) = result {
      switch answer.members?.error {
      case "authorization_pending": return wait(now)
      case "slow_down":
        interval += 5
        return wait(now)
      case "expired_token": return askForCode()
      case "access_denied": return .fail(.accessDenied)
      case _: break
      }
    }
    switch result.flatMap(TokenReply.token) {
    case .success(let token): return .token(token)
    case .failure(.timedOut), .failure(.unreachable), .failure(.unavailable):
      interval = min(interval * 2, max(interval, Self.longestInterval))
      return wait(now)
    case .failure(let fault): return .fail(fault)
    }
  }

  @discardableResult
  private mutating func wait(_ now: Double) -> FlowStep {
    step = .waiting(until: min(now + interval, max(now, end)))
    return .wait
  }

  private mutating func askForCode() -> FlowStep {
    guard codes < Self.maximumCodes else { return .fail(.codeExpired) }
    codes += 1
    issued = nil
    step = .authorizing
    return .send(.deviceAuthorization)
  }
}

/// A device code as an authorization server issued it (RFC 8628 §3.2).
package struct IssuedCode: Sendable, Equatable {
  package let code: Secret
  package let prompt: DevicePrompt
  /// Seconds from its issue on.
  package let lifetime: Double
  /// Seconds between two questions to the token endpoint.
  package let interval: Double

  /// Longer ones say nothing that could be planned for.
  private static let lifetimes = 1.0...315_360_000.0
  /// A person does not wait longer to go on.
  private static let intervals = 0.0...300.0
  private static let defaultInterval = 5.0
  private static let shortestInterval = 1.0

  /// Judges the reply of a device authorization endpoint. Nothing of it becomes part of an error.
  package static func code(of answer: TokenReply.Answer) -> Result<IssuedCode, SourceFault> {
    if let fault = TokenReply.fault(of: answer) { return .failure(fault) }
    guard let members = answer.members, let code = members.deviceCode, TokenReply.isVisible(code),
      let page = members.verificationURI, let userCode = members.userCode, let lifetime = members.expiresIn,
      lifetimes.contains(lifetime), intervals.contains(members.interval ?? defaultInterval),
      let prompt = DevicePrompt(
        verificationURI: page, userCode: userCode, completeURI: members.completeURI)
    else { return .failure(.malformed) }
    return .success(
      IssuedCode(
        code: code, prompt: prompt, lifetime: lifetime,
        interval: max(shortestInterval, members.interval ?? defaultInterval)))
  }
}
