package import WatchwordVocabulary

/// Repeats requests that a server did not process, or that are safe to repeat (challenges.md 13.10 and
/// 13.12).
extension TaskStateMachine {
  /// Whether the exchange lost its connection in a way that allows repeating the request.
  func isRepeated(_ request: ExchangeRequest, after error: TransportError) -> Bool {
    guard let loss = error.connectionLoss,
      RepetitionRule.repeats(request.method, after: loss, count: repetition.lostConnections)
    else { return false }
    repetition.lostConnections += 1
    if loss.requiresHTTP1 {
      repetition.lostConnections = max(repetition.lostConnections, RepetitionRule.limitOverHTTP2)
    }
    return true
  }

  /// Whether the response only demands that this request is sent differently: without `Expect` (RFC 9110
  /// §15.5.18), or on another connection (RFC 9110 §15.5.20). Each once per step.
  func isRefusedAsSent(_ status: Int) -> Bool {
    switch status {
    case 417 where expectsContinue && !repetition.omitsExpect:
      repetition.omitsExpect = true
      currentStep.headers.removeAll { $0.isNamed("expect") }
      return true
    case 421 where currentStep.body != .notReplayable && !repetition.requiresNewConnection:
      repetition.requiresNewConnection = true
      return true
    default: return false
    }
  }

  /// Whether the response is a part of what may be a login page, or says that the page has no such part: what
  /// the page is shows the whole, so the request is made again without `Range` (methods.md 16.2).
  func isPartOfLoginPage(_ head: ResponseHead, _ context: Context) -> Bool {
    guard currentStep.method == "GET", mayMeetForm(context), currentStep.headers.first("range") != nil,
      context.forms.contains(where: { $0.mayBeMet(byPartIn: head, at: currentStep.url) })
    else { return false }
    currentStep.headers.removeAll { $0.isNamed("range") || $0.isNamed("if-range") }
    return true
  }

  /// Whether the request may be made again although the server has processed it.
  var isRepeatable: Bool { RepetitionRule.isIdempotent(currentStep.method) && currentStep.body.isReplayable }

  /// The transport adds the field for a body that can be sent only once.
  private var expectsContinue: Bool {
    currentStep.body == .notReplayable || currentStep.headers.first("expect") != nil
  }
}

/// Where redirects lead, and those that the caller is asked about.
extension TaskStateMachine {
  func redirectDecision(
    _ head: ResponseHead, _ policy: RedirectPolicy, _ resolve: (String, RequestURL) -> RedirectTarget
  ) -> RedirectDecision {
    guard RedirectPolicy.isRedirect(head.status) else { return .notARedirect }
    let locations = Set(head.headers.values(of: "location"))
    let target: RedirectTarget =
      switch locations.count {
      case 0: .absent
      case 1: locations.first.map { resolve($0, currentStep.url) } ?? .absent
      default: .malformed
      }
    return policy.decision(status: head.status, target: target, from: currentStep, after: redirects.count)
  }

  /// What the widest policy would make of the response: where it leads, whether it is followed or not.
  func widestDecision(
    _ head: ResponseHead, _ resolve: (String, RequestURL) -> RedirectTarget
  ) -> RedirectDecision {
    var policy = RedirectPolicy()
    policy.limit = Int.max
    policy.allowsDowngrade = true
    return redirectDecision(head, policy, resolve)
  }

  /// The step that waits for the caller's answer.
  package var proposedRedirect: RequestStep? {
    if case .askingRedirect(let step, _) = phase { step } else { nil }
  }

  /// The step that waits, with what the caller has put in its place (`RedirectPolicy.step`); nil when none
  /// waits.
  package func proposedRedirect(
    to url: RequestURL?, method: String?, headers: [HeaderField]?
  ) throws(RedirectFault) -> RequestStep? {
    guard case .askingRedirect(let proposed, let status) = phase else { return nil }
    return try redirectPolicy.step(
      proposed, to: url, method: method, headers: headers, status: status, from: currentStep,
      after: redirects.count)
  }
}
