internal import WatchwordVocabulary

/// The hop to a proxy, whose machine follows the same rules as the origin's (methods.md 15).
extension TaskStateMachine {
  /// The proxy of the current step.
  package var proxy: Proxy? { proxyChoice?.proxy }

  /// How the request of the current step gets to its origin.
  var route: RequestRoute {
    RequestRoute(proxy: proxy, host: NamedHost(currentStep.headers.first("host"), at: currentStep.url.origin))
  }

  /// The SOCKS proxy that the running exchange logs in to, if it does.
  var proxyOfLogin: Proxy? {
    guard case .exchanging(let request) = phase, let way = request.proxy, way.isLogin else { return nil }
    return way.proxy
  }

  /// The caller's own `Proxy-Authorization`, for a proxy that reads HTTP: no challenge, no cached credential.
  private var callersProxyField: Secret? {
    guard let proxy, !proxy.type.isSOCKS, let field = currentStep.headers.first(where: \.isForProxy) else {
      return nil
    }
    return field.secret ?? Secret(field.value.utf8)
  }

  /// The caller's fields that the origin may see (CVE-2023-32681).
  var fieldsForOrigin: [HeaderField] {
    currentStep.headers.contains(where: \.isForProxy)
      ? currentStep.headers.filter { !$0.isForProxy } : currentStep.headers
  }

  /// A tunnel is about to be opened, or the request goes onto its connection: the `Proxy-Authorization`
  /// value, if it is one that is made now.
  func proxyAuthorization(_ context: Context) -> Secret? {
    guard case .exchanging(let request) = phase, request.proxy?.isAuthorizedLate == true else { return nil }
    return machine(at: .proxy).authorization(attempt(context, at: .proxy))
  }

  /// The proxy has opened a tunnel with this response; nil from SOCKS.
  func tunnelOpened(_ head: ResponseHead?, _ context: Context) -> [Effect] {
    // The handshake with an HTTPS proxy is its proof, and no token of it can be waited for.
    if let head { pass(head, of: .proxy) }
    let fields = isOnBoundConnection(at: .proxy) ? [] : head?.headers ?? []
    let head = ResponseHead(status: head?.status ?? 200, headers: fields)
    guard case .fail(let failure) = proxyReceived(head, context) else { return [] }
    return finish(.authenticationAtProxy(failure))
  }

  // MARK: Sending

  enum ProxyPreparation {
    case ready(ProxyHop?)
    case waiting([Effect])
  }

  /// Chooses what the proxy gets.
  func prepareProxy(_ context: Context) -> ProxyPreparation {
    guard let proxyChoice, proxyChoice.exception == nil else { return .ready(nil) }
    guard let proxy = proxyChoice.proxy else {
      return .waiting(finish(.transport(.proxyMalformed(setting: proxyChoice.entry.name))))
    }
    var way = ProxyHop(proxy, to: currentStep.url.origin)
    let hasNoBody = way.isTunnel || currentStep.body == .none
    let field = callersProxyField
    let preparation = machine(at: .proxy).prepare(
      attempt(context, at: .proxy), hasCallerAuthorization: field != nil,
      body: hasNoBody ? { _ in .empty } : context.body)
    switch preparation {
    case .ready(let value):
      way.authorization = field ?? value
    case .late: way.isAuthorizedLate = true
    case .bodyUnread:
      phase = .readingBody
      return .waiting([.task(.readBody)])
    case .waiting:
      asker = .proxy
      phase = .awaitingTurn
      // A task that waits for others holds no connection that they may wait for.
      authentication.releaseConnection(attempt(context))
      return .waiting([])
    case .token(let step):
      asker = .proxy
      phase = .makingToken
      return .waiting([.task(.negotiate(step))])
    // Only origins have login forms.
    case .login, .freshForm: break
    }
    way.credential =
      field.map { .token($0) } ?? proxyAuthentication?.credentialCarried(context.memory) ?? way.identification
    // Inside of TLS, which libcurl does with the proxy, the transport asks for the tunnel with the token.
    guard way.isTunnel, way.proxy.type == .http, isOnBoundConnection(at: .proxy) else { return .ready(way) }
    guard let binding = proxyAuthentication?.binding else {
      way.tunnel = .open
      return .ready(way)
    }
    way.tunnel = .requested
    return .waiting(request(through: way, on: binding))
  }

  /// Asks for the tunnel before anything is prepared for the origin: the transport's own requests for tunnels
  /// close the connection when they are refused.
  private func request(through way: ProxyHop, on binding: ConnectionBinding) -> [Effect] {
    leaveRefusal()
    let request = ExchangeRequest(
      url: currentStep.url.withoutUserinfo, method: "CONNECT", headers: [], proxy: way, binding: binding)
    return begin(request)
  }

  /// The origin's machine waits for something: what the proxy was to get is prepared again.
  func takeBackProxy(_ memory: SessionMemory) {
    proxyAuthentication?.releaseTurn(memory)
    proxyAuthentication?.leaveTrial(memory)
    proxyAuthentication?.takeBack()
  }

  /// The task waits for others, or for an answer: they may use its connections.
  func releaseConnections(_ context: Context) {
    authentication.releaseConnection(attempt(context))
    releaseProxyConnection(context)
  }

  func releaseProxyConnection(_ context: Context) {
    guard isOnBoundConnection(at: .proxy) else { return }
    machine(at: .proxy).releaseConnection(attempt(context, at: .proxy))
  }

  /// The exchange was lost, or does not say anything about its connection.
  func connectionsLost(_ context: Context) {
    authentication.connectionLost(attempt(context))
    guard isOnBoundConnection(at: .proxy) else { return }
    machine(at: .proxy).connectionLost(attempt(context, at: .proxy))
  }

  func releaseTurns(_ memory: SessionMemory) {
    authentication.releaseTurn(memory)
    authentication.leaveTrial(memory)
    proxyAuthentication?.releaseTurn(memory)
    proxyAuthentication?.leaveTrial(memory)
  }

  // MARK: Responses

  /// The next request is made: an origin's refusal was not the result.
  func leaveRefusal() {
    if let head, head.status == Hop.origin.refusal { pass(head, of: .origin) }
    head = nil
  }

  /// What a response says about the proxy's credential.
  ///
  /// Over no tunnel, a 407 is the proxy's. Through a tunnel it is the origin's, as without a proxy, and a
  /// response like any other: the proxy has accepted what the tunnel was opened with.
  func proxySaw(_ head: ResponseHead, of request: ExchangeRequest, _ context: Context)
    -> AuthenticationStateMachine.Outcome?
  {
    guard let way = request.proxy else { return nil }
    if way.tunnel == .open { return nil }
    return proxyReceived(way.isTunnel ? ResponseHead(status: 200, headers: []) : head, context)
  }

  private func proxyReceived(_ head: ResponseHead, _ context: Context)
    -> AuthenticationStateMachine.Outcome
  {
    reported(
      machine(at: .proxy).received(
        head, attempt(context, at: .proxy), hasCallerAuthorization: callersProxyField != nil))
  }

  /// The proxy's answer to a request for a tunnel on a connection of its credential; its page is never
  /// delivered.
  func tunnelAnswered(_ head: ResponseHead, _ context: Context) -> [Effect] {
    pass(head, of: .proxy)
    let outcome = proxyReceived(head, context)
    asker = .proxy
    switch outcome {
    case .proceed where 200..<300 ~= head.status: return receive(.goThroughTunnel)
    case .verify(let negotiation) where 200..<300 ~= head.status: return verify(head, by: negotiation)
    case .proceed, .verify: return receive(.fail(.transport(.proxyRefused(head))))
    case .retry, .retryInTurn, .ask, .deliver, .fail: return proxyRefused(outcome, context.memory)
    }
  }

  func verify(_ head: ResponseHead, by step: NegotiationStep) -> [Effect] {
    phase = .verifying(head)
    endOfVerified = nil
    return [.task(.body(.wait)), .task(.negotiate(step))]
  }

  /// The proxy has refused the request, which the origin has not seen; the page is never delivered.
  func proxyRefused(_ outcome: AuthenticationStateMachine.Outcome, _ memory: SessionMemory)
    -> [Effect]
  {
    asker = .proxy
    if let head { pass(head, of: .proxy) }
    authentication.releaseTurn(memory)
    authentication.leaveTrial(memory)
    authentication.takeBack()
    switch outcome {
    case .retry, .proceed: return receive(.retry, .discard)
    case .retryInTurn: return receive(.retryInTurn, .discard)
    case .ask: return receive(.ask, .discard)
    case .deliver, .verify: return receive(.fail(refusedByProxy))
    case .fail(let failure): return receive(.fail(.authenticationAtProxy(failure)))
    }
  }

  /// The proxy opened no tunnel because it wants a credential; nil when the exchange ended for another
  /// reason, which may be another refusal.
  func tunnelRefused(by error: TransportError, _ context: Context) -> [Effect]? {
    if case .proxyRefused(let head) = error { pass(head, of: .proxy) }
    guard case .proxyAuthenticationRequired(let head) = error else { return nil }
    asker = .proxy
    authentication.takeBack()
    let outcome: AuthenticationStateMachine.Outcome
    if let head {
      pass(head, of: .proxy)
      outcome = proxyReceived(head, context)
    } else {
      outcome = reported(machine(at: .proxy).refusedBySOCKS(attempt(context, at: .proxy)))
    }
    switch outcome {
    case .retry, .retryInTurn: return retry(context)
    case .ask, .deliver, .proceed, .verify, .fail: return goOn(outcome, context)
    }
  }

  func proxyBodyEnded(_ body: DigestBody, _ context: Context) -> AuthenticationStateMachine.Outcome? {
    guard proxyAuthentication?.responseHash != nil else { return nil }
    // The body was hashed for the origin's proof if there is one.
    let isHashed = proxyAuthentication?.responseHash == responseHash
    return reported(machine(at: .proxy).bodyEnded(isHashed ? body : .unknown, attempt(context, at: .proxy)))
  }

  /// With the hop whose refusal is being answered.
  func failed(_ failure: AuthenticationFailure) -> TaskFailure {
    asker == .proxy && failure != .userCancelled
      ? .authenticationAtProxy(failure) : .authentication(failure)
  }

  var refusedByProxy: TaskFailure { .proxyAuthentication(proxyAuthentication?.refusal?.response) }

  // MARK: Use

  /// The request as the server sees it that gets the credential.
  func use(_ context: Context, at hop: Hop) -> CredentialUse {
    guard hop == .proxy, let proxy else { return use(context) }
    var use = CredentialUse(
      of: proxy, for: currentStep.url, method: currentStep.method, task: context.task,
      process: context.process,
      now: context.now, wallClock: context.wallClock)
    use.isRepeatable = isRepeatable
    return use
  }
}

extension HeaderField {
  fileprivate var isForProxy: Bool { isNamed("proxy-authorization") }
}

extension CredentialUse {
  /// A request through a proxy, as the proxy sees it.
  init(
    of proxy: Proxy, for url: RequestURL, method: String, task: TaskIdentifier?, process: ProcessIdentifier?,
    now: Double,
    wallClock: Double
  ) {
    let isTunnel = proxy.isTunnel(to: url.origin)
    self.init(
      url: proxy.url, method: isTunnel ? "CONNECT" : method, process: process, now: now, wallClock: wallClock)
    self.task = task
    proxyType = proxy.type
    tunnelTarget = isTunnel ? "\(url.origin.bracketedHost):\(url.origin.port)" : nil
    proxyTarget = tunnelTarget ?? url.text
    taskURL = url
  }
}
