internal import WatchwordVocabulary

/// What a task does next, by what its events mean.
extension TaskStateMachine {
  func proceed(_ continuation: Continuation, _ context: Context) -> [Effect] {
    switch continuation {
    case .finish:
      return finish(heldError.map { .transport($0) })
    case .retry, .retryInTurn:
      return retry(context)
    case .sendAgain(let request):
      return sendAgain(request, context)
    case .ask:
      // The question may have been answered for another task between the head of the refusal and its end.
      return goOn(machine(at: asker).choose(attempt(context, at: asker)), context)
    case .follow(let step, let status):
      return follow(step, status, context)
    case .askRedirect(let step, let response):
      phase = .askingRedirect(step, status: response.status)
      return [.task(.askRedirect(step, response: response))]
    case .followLogin(let url): return followLogin(to: url, context)
    case .goThroughTunnel:
      if let heldError { return finish(.transport(heldError)) }
      return send(context)
    case .beginAgain: return beginAgain(insteadOfLogin: forms.isRenewing, context)
    case .readPage: return deliverHeld()
    case .fail(let failure):
      return finish(failure)
    }
  }

  func goOn(_ outcome: AuthenticationStateMachine.Outcome, _ context: Context) -> [Effect] {
    switch outcome {
    case .retry, .retryInTurn: return send(context)
    case .ask(let subject):
      let question = machine(at: asker).question(about: subject, attempt(context, at: asker))
      releaseConnections(context)
      phase = .asking(question)
      return [.ask(question)]
    // A proxy's page is not the resource.
    case .proceed, .deliver, .verify: return asker == .proxy ? finish(refusedByProxy) : deliverHeld()
    case .fail(let failure): return finish(failed(failure))
    }
  }

  func retry(_ context: Context) -> [Effect] {
    goOn(reported(machine(at: asker).retried(attempt(context, at: asker))), context)
  }

  func send(_ context: Context) -> [Effect] {
    if !context.forms.isEmpty, let effects = awaitLogin(context) { return effects }
    authentication.endExchange()
    let proxy: ProxyHop?
    switch prepareProxy(context) {
    case .ready(let hop): proxy = hop
    case .waiting(let effects): return effects
    }
    let preparation = authentication.prepare(
      attempt(context), hasCallerAuthorization: hasCallerAuthorization,
      // The caller's may have been left behind at a redirect.
      body: currentStep.body == .none ? { _ in .empty } : context.body)
    switch preparation {
    case .ready(let value): return exchange(value, isLate: false, through: proxy)
    case .late: return exchange(nil, isLate: true, through: proxy)
    case .login(let form, let content): return submit(form, content, through: proxy, context)
    case .freshForm:
      forms.isRenewing = true
      return exchange(nil, isLate: false, through: proxy)
    case .bodyUnread:
      takeBackProxy(context.memory)
      phase = .readingBody
      return [.task(.readBody)]
    case .waiting:
      takeBackProxy(context.memory)
      releaseProxyConnection(context)
      asker = .origin
      forms.isLoginAwaited = authentication.hasLoginNext
      phase = .awaitingTurn
      return []
    case .token(let step):
      takeBackProxy(context.memory)
      asker = .origin
      phase = .makingToken
      return [.task(.negotiate(step))]
    }
  }

  func exchange(_ authorization: Secret?, isLate: Bool, through proxy: ProxyHop?) -> [Effect] {
    leaveRefusal()
    let binding = authentication.binding ?? (proxy?.isTunnel == false ? proxyAuthentication?.binding : nil)
    let request = ExchangeRequest(
      url: currentStep.url, method: currentStep.method, headers: fieldsForOrigin,
      authorization: authorization,
      isAuthorizedLate: isLate, sendsBody: currentStep.body != .none && binding?.omitsBody != true,
      proxy: proxy,
      repetition: repetition, binding: binding)
    return begin(request)
  }

  /// Every exchange begins here.
  func begin(_ request: ExchangeRequest) -> [Effect] {
    let refusals = authentication.refusalCount + (proxyAuthentication?.refusalCount ?? 0)
    guard bound.permits(refusals: refusals) else { return [.warnOfExchanges] + finish(.tooManyExchanges) }
    phase = .exchanging(request)
    return [.send(request)]
  }

  /// The same request with the same credential: the server has not answered it.
  func sendAgain(_ request: ExchangeRequest, _ context: Context) -> [Effect] {
    let isOnBoundConnection = [Hop.origin, .proxy].contains { self.isOnBoundConnection(at: $0) }
    if forms.login != nil {
      guard isOnBoundConnection else { return sendForLogin(request) }
      forgetLogin()
    }
    let isLate = request.isAuthorizedLate || request.proxy?.isAuthorizedLate == true
    guard isLate || request.proxy?.isLogin == true || isOnBoundConnection else {
      return exchange(request.authorization, isLate: false, through: request.proxy)
    }
    connectionsLost(context)
    releaseTurns(context.memory)
    authentication.takeBack()
    proxyAuthentication?.takeBack()
    return send(context)
  }

  func follow(_ step: RequestStep, _ status: Int, _ context: Context) -> [Effect] {
    let record = RedirectRecord(status: status, from: currentStep.url, to: step.url)
    let response = head
    redirects.append(record)
    askedSpaces = []
    sentKeys = []
    repetition = Repetition()
    restarts = 0
    authentication.endRepetitions()
    proxyAuthentication?.endRepetitions()
    bound.begin()
    currentStep = step
    proxyChoice = proxies?.choice(for: currentStep.url.origin)
    return [.task(.redirected(record, response: response))] + send(context)
  }

  func deliverHeld() -> [Effect] {
    phase = .finished
    // The time for what is held is short, so that a slow page holds up no question; what came of it is the
    // result.
    if let heldError, heldError != .timedOut(.request) { return [.finish(.transport(heldError))] }
    return [.task(.deliverHeld(isWhole: heldError == nil)), .finish(nil)]
  }

  func finish(_ failure: TaskFailure?) -> [Effect] {
    phase = .finished
    return [.finish(failure)]
  }

  func redirect(_ head: ResponseHead, _ context: Context) -> Continuation {
    let decision = redirectDecision(head, redirectPolicy, context.resolve)
    switch decision {
    case .notARedirect, .deliver: return .finish
    case .follow(let step): return .follow(step, status: head.status)
    case .ask(let step): return .askRedirect(step, response: head)
    case .refuse(let fault): return .fail(.redirect(fault))
    }
  }

  /// The response is received to its end, unless the task fails: then the body may have no end.
  func receive(_ continuation: Continuation, _ fate: BodyFate? = nil) -> [Effect] {
    if case .fail(let failure) = continuation { return [.task(.body(.discard))] + finish(failure) }
    phase = .receiving(continuation)
    return [.task(.body(fate ?? self.fate(continuation)))]
  }

  private func fate(_ continuation: Continuation) -> BodyFate {
    switch continuation {
    case .finish: .deliver
    case .ask, .askRedirect, .retryInTurn: .hold
    case .retry, .sendAgain, .follow, .followLogin, .goThroughTunnel, .beginAgain, .fail: .discard
    case .readPage(let rule): .read(rule.question(about: rule.when))
    }
  }

  func use(_ context: Context) -> CredentialUse {
    var use = CredentialUse(
      url: currentStep.url, method: currentStep.method, process: context.process, now: context.now,
      wallClock: context.wallClock)
    use.task = context.task
    use.route = route
    use.isRepeatable = isRepeatable
    return use
  }

  /// The same request, for the machine of a hop.
  func attempt(_ context: Context, at hop: Hop = .origin) -> AuthenticationStateMachine.Attempt {
    AuthenticationStateMachine.Attempt(
      use: hop == .origin ? use(context) : use(context, at: hop), canAsk: context.canAsk,
      memory: context.memory)
  }

  /// An `Authorization` field of the caller's is sent as it is: no challenge, no cached credential.
  var hasCallerAuthorization: Bool { currentStep.headers.first("authorization") != nil }
}

extension TaskStateMachine.Continuation {
  var isRedirect: Bool {
    switch self {
    case .follow, .askRedirect: true
    case .finish, .retry, .retryInTurn, .sendAgain, .ask, .readPage, .followLogin, .goThroughTunnel,
      .beginAgain, .fail:
      false
    }
  }
}
