package import WatchwordVocabulary

/// One fetch from start to finish: exchanges, refusals, questions and redirects in their order (challenges.md
/// 4.1).
///
/// An object that its session owns, without I/O: every event returns what has to happen, in order. The place of
/// server trust and client certificates is before `received`: a handshake that stops ends the exchange with a
/// question of its own.
package final class TaskStateMachine {
  package internal(set) var phase = Phase.ready
  package internal(set) var redirects: [RedirectRecord] = []
  /// The step that is under way.
  package internal(set) var currentStep: RequestStep
  package internal(set) var head: ResponseHead?
  /// What others have to be told of the running event, whatever the task does next, and before that.
  private var news: [Effect] = []
  /// The same, before all other news: responses that are no result.
  private var passed: [Effect] = []

  /// Towards the origins.
  let authentication: AuthenticationStateMachine
  /// Towards the proxies; nil before the first one is met.
  private(set) var proxyAuthentication: AuthenticationStateMachine?
  /// The keys that the running exchange, or the last one of this step, carries in fields of their own.
  var sentKeys: [SentKey] = []
  /// What it has met of login forms.
  var forms = FormProgress()
  let redirectPolicy: RedirectPolicy
  /// Nil when no setting concerns any origin.
  let proxies: ProxyRules?
  /// The way to the origin of the current step.
  var proxyChoice: ProxyChoice?
  /// Whose refusal is being answered, or whose turn is waited for.
  var asker = Hop.origin
  /// Why the held body is not whole, when it is not.
  var heldError: TransportError?
  var repetition = Repetition()
  var bound = ExchangeBound()
  /// How the exchange has ended whose head is being verified, when it has.
  var endOfVerified: (error: TransportError?, body: DigestBody)?
  /// Negotiations of this step that have lost their connection.
  var restarts = 0
  /// What handshakes of this step were stopped for.
  var askedSpaces: [ProtectionSpace] = []

  init(
    request: RequestStep, authentication: AuthenticationStateMachine.Settings,
    redirectPolicy: RedirectPolicy,
    proxies: ProxyRules? = nil
  ) {
    currentStep = request
    self.authentication = AuthenticationStateMachine(for: .origin, authentication)
    self.redirectPolicy = redirectPolicy
    self.proxies = proxies
    proxyChoice = proxies?.choice(for: request.url.origin)
  }

  /// What the running exchange carries to its origin.
  package var methodInUse: AuthenticationMethod? { authentication.methodInUse }
  package var mechanismInUse: InnerMechanism? {
    authentication.negotiation == nil ? nil : authentication.mechanismInUse
  }
  package var isPreemptive: Bool { authentication.sent?.isPreemptive ?? false }
  /// Whether it carries a key in a field of its own.
  package var carriesKey: Bool { !sentKeys.isEmpty }
  /// Whether the response is a login page and not what was asked for (methods.md 16.10).
  package var isLoginPage: Bool { forms.isRefusal || forms.lacksField }
  /// What the questions of the step take, which are kept until its end.
  package var questionBytes: Int { askedSpaces.reduce(0) { $0 + $1.questionBytes } }
  /// Whether the prepared exchange runs on a connection that belongs to its credential at this hop.
  func isOnBoundConnection(at hop: Hop) -> Bool {
    switch hop {
    case .origin: authentication.isOnBoundConnection
    case .proxy: proxyAuthentication?.isOnBoundConnection ?? false
    }
  }
  /// What a response that is the result names that cannot be answered.
  package func unusableOffers(of status: Int) -> UnusableOffers {
    var offers =
      switch status {
      case Hop.origin.refusal: authentication.unusableOffers
      case Hop.proxy.refusal: proxyAuthentication?.unusableOffers ?? UnusableOffers()
      default: UnusableOffers()
      }
    if forms.lacksField { offers.add(.loginPageWithoutFields) }
    return offers
  }
  /// How the body that follows the head has to be hashed; nil when nothing depends on it.
  package var responseHash: HashAlgorithm? {
    authentication.responseHash ?? proxyAuthentication?.responseHash
  }

  // MARK: Events

  /// Takes an event, and says what has to happen, in this order.
  func handle(_ event: TaskEvent, _ context: Context) -> [Effect] {
    let next = react(to: event, context)
    if news.isEmpty, passed.isEmpty { return next }
    defer { (news, passed) = ([], []) }
    return passed + news + next
  }

  /// What an event means in each phase. In every other phase it has come too late, and means nothing.
  func react(to event: TaskEvent, _ context: Context) -> [Effect] {
    switch (event, phase) {
    case (.begin, .ready):
      if !context.forms.isEmpty { forms.ownRequest = currentStep }
      return send(context)
    case (.bodyRead, .readingBody):
      return send(context)
    case (.turnCame, .awaitingTurn):
      if forms.isLoginAwaited, authentication.hasNewLogin(attempt(context)) {
        return beginAgain(insteadOfLogin: true, context)
      }
      return retry(context)
    case (.turnCame, _):
      leaveTurn(context)
      return []
    case (.negotiated(let outcome), .makingToken):
      return tokenMade(outcome, context)
    case (.negotiated(let outcome), .verifying(let head)):
      return verified(outcome, head, context)
    case (.takenBack, .exchanging(let request)):
      return sendAgain(request, context)
    case (.tunnelOpened(let head), .exchanging) where proxy != nil:
      return tunnelOpened(head, context)
    case (.received(let head), .exchanging(let request)):
      return received(head, to: request, context)
    case (.exchangeEnded(let error, _), .exchanging(let request)):
      return responseMissing(error, to: request, context)
    case (.exchangeEnded(let error, let body), .verifying):
      endOfVerified = (error, body)
      return []
    case (.exchangeEnded(let error, let body), .receiving(let continuation)):
      return responseEnded(error, body, continuation, context)
    case (.pageRead(let reading), .receiving(.readPage(let rule))):
      return pageRead(reading, rule, isOver: false, context)
    case (.pageRead(let reading), .readingPage(let rule)):
      return pageRead(reading, rule, isOver: true, context)
    case (.answered(let verdict), .asking(let question)):
      return answered(verdict, to: question, context)
    case (.answered(let verdict), .askingInHandshake(let question, let unsent)):
      return handshakeAnswered(verdict, to: question, unsent, context)
    case (.redirectAnswered(let step?), .askingRedirect(_, let status)):
      return follow(step, status, context)
    case (.redirectAnswered(nil), .askingRedirect):
      return deliverHeld()
    case (.unlocked, .ready): return react(to: .begin, context)
    case (.unlocked, .awaitingTurn): return react(to: .turnCame, context)
    // The space may have a credential meanwhile; otherwise the question is asked again.
    case (.unlocked, .asking): return react(to: .answered(.useStored), context)
    case (.begin, _), (.bodyRead, _), (.negotiated, _), (.takenBack, _), (.tunnelOpened, _), (.received, _),
      (.exchangeEnded, _), (.pageRead, _), (.answered, _), (.redirectAnswered, _), (.unlocked, _):
      return []
    }
  }

  /// A task that does not want its turn any more leaves it to the next one.
  private func leaveTurn(_ context: Context) {
    for hop in [Hop.origin, .proxy] where !isOnBoundConnection(at: hop) {
      context.memory.bound.release(BoundConnections.Holder(task: context.task, hop: hop))
    }
    releaseTurns(context.memory)
  }

  /// Whether the request waits for a connection with a nonce of this space.
  func sharesNonce(of space: ProtectionSpace) -> Bool {
    guard case .exchanging = phase else { return false }
    return authentication.sharesNonce(of: space) || proxyAuthentication?.sharesNonce(of: space) ?? false
  }

  /// The task is suspended: others do not wait for what it will do then, and one count may arrive out of
  /// order.
  func suspended(_ memory: SessionMemory) {
    switch phase {
    case .exchanging, .receiving: releaseTurns(memory)
    case .ready, .readingBody, .readingPage, .awaitingTurn, .makingToken, .verifying, .asking,
      .askingInHandshake,
      .askingRedirect, .finished:
      break
    }
  }

  /// The request goes onto its connection: the `Authorization` value that it carries, if it is one that is
  /// made now.
  ///
  /// - Parameter connection: its number; nil: it is not known, or carries many requests at once.
  func authorization(over connection: UInt64?, _ context: Context) -> Secret? {
    guard case .exchanging(let request) = phase, request.isAuthorizedLate else { return nil }
    var attempt = attempt(context)
    attempt.use.connection = connection
    return authentication.authorization(attempt)
  }

  // MARK: News

  /// The machine towards the hop.
  func machine(at hop: Hop) -> AuthenticationStateMachine {
    switch hop {
    case .origin: return authentication
    case .proxy:
      if let proxyAuthentication { return proxyAuthentication }
      let machine = AuthenticationStateMachine(for: .proxy, authentication.settings)
      proxyAuthentication = machine
      return machine
    }
  }

  /// Tells what a step of the machine towards a hop brings for others.
  func reported(_ step: AuthenticationStateMachine.Step) -> AuthenticationStateMachine.Outcome {
    step.weakerOffer.map { news.append(.warn($0)) }
    step.report.map { news.append(.report($0)) }
    return step.outcome
  }

  /// An origin's or a proxy's response is not the result.
  func pass(_ head: ResponseHead, of side: Hop) {
    passed.append(.task(.passed(PassedHead(hop: side, url: currentStep.url, head: head))))
  }

  // MARK: What they mean

  private func received(_ head: ResponseHead, to request: ExchangeRequest, _ context: Context)
    -> [Effect]
  {
    heldError = nil
    bound.noteExchange()
    if request.proxy?.tunnel == .requested { return tunnelAnswered(head, context) }
    self.head = head
    forms.lacksField = false
    forms.isRefusal = false
    if isRefusedAsSent(head.status) || isPartOfLoginPage(head, context) {
      return receive(.sendAgain(request))
    }
    switch proxySaw(head, of: request, context) {
    case .proceed?, nil: return originAnswered(head, context)
    case .verify(let negotiation)?:
      asker = .proxy
      return verify(head, by: negotiation)
    case .some(let outcome):
      forgetLogin()
      return proxyRefused(outcome, context.memory)
    }
  }

  /// The head is the origin's: no proxy has refused the request.
  func originAnswered(_ head: ResponseHead, _ context: Context) -> [Effect] {
    asker = .origin
    keysTaken(head, context.memory)
    let isKeyAlone = !hasCallerAuthorization && authentication.methodInUse == nil
    if let effects = loginGoesOn(with: head, context) { return effects }
    let outcome = judge(head, context)
    if refusesKey(head, sentAlone: isKeyAlone) { keyRefused(context.memory) }
    if case .verify(let negotiation) = outcome { return verify(head, by: negotiation) }
    return receive(continuation(after: outcome, head, context))
  }

  /// What the response is.
  func judge(_ head: ResponseHead, _ context: Context) -> AuthenticationStateMachine.Outcome {
    var step = authentication.received(head, attempt(context), hasCallerAuthorization: hasCallerAuthorization)
    if authentication.hasOpenLogin, !continuation(after: step.outcome, head, context).isRedirect {
      step.report = step.report ?? authentication.loginSettled(head, attempt(context))
    }
    return reported(step)
  }

  func continuation(
    after outcome: AuthenticationStateMachine.Outcome, _ head: ResponseHead, _ context: Context
  ) -> Continuation {
    switch outcome {
    case .proceed: redirect(head, context)
    // Until there is a token, the refusal may become the result.
    case .retry: authentication.makesToken ? .retryInTurn : .retry
    case .retryInTurn: .retryInTurn
    case .verify: .finish
    case .ask: .ask
    case .deliver: .finish
    case .fail(let failure): .fail(.authentication(failure))
    }
  }

  /// The exchange has ended without a response.
  private func responseMissing(
    _ error: TransportError?, to request: ExchangeRequest, _ context: Context
  ) -> [Effect] {
    bound.noteExchange()
    releaseTurns(context.memory)
    authentication.connectionLost(attempt(context))
    // Whether the proxy has refused the token, or wants one for a new tunnel, is its machine's business.
    if let error, let refused = tunnelRefused(by: error, context) { return refused }
    connectionsLost(context)
    if error == .boundConnectionLost { return beginsNegotiationAgain(request, context) }
    if let error {
      if let stopped = handshakeStopped(by: error, before: request, context) {
        releaseConnections(context)
        return stopped
      }
      if isRepeated(request, after: error) { return sendAgain(request, context) }
    }
    return finish(.transport(error ?? .malformedResponse))
  }

  /// The body of the response has ended, or was cut.
  func responseEnded(
    _ error: TransportError?, _ body: DigestBody, _ continuation: Continuation, _ context: Context
  ) -> [Effect] {
    heldError = error
    if case .readPage(let rule) = continuation {
      phase = .readingPage(rule)
      return [.task(.readPage)]
    }
    if error != nil { connectionsLost(context) }
    let body = error == nil ? body : .unknown
    if authentication.isUnproved,
      case .fail(let failure) = reported(authentication.bodyEnded(body, attempt(context)))
    {
      return finish(.authentication(failure))
    }
    if case .fail(let failure)? = proxyBodyEnded(body, context) {
      return finish(.authenticationAtProxy(failure))
    }
    return proceed(continuation, context)
  }

  /// The board's word on the question that was asked.
  private func answered(
    _ verdict: ChallengeVerdict, to question: ChallengeQuestion, _ context: Context
  ) -> [Effect] {
    noteAnswer(verdict)
    // The task that tried the credential has logged in for all.
    if verdict == .useStored, question.space.isLoginForm {
      return beginAgain(insteadOfLogin: true, context)
    }
    asker = question.space.hop
    return goOn(
      reported(machine(at: asker).answered(verdict, to: question, attempt(context, at: asker))), context)
  }

  /// Ends the task from outside, whatever it is doing.
  func stop(_ failure: TaskFailure) -> [Effect] {
    phase == .finished ? [] : finish(failure)
  }
}
