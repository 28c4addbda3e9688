package import WatchwordVocabulary

/// Whether a step may be fetched, with which header fields, and over which connections.
extension SessionState {
  /// Why the request must not go out; nil when it may.
  mutating func refusal(of request: ExchangeRequest, of task: SessionTask) -> TaskFailure? {
    if let fault = restrictionFault(of: request, of: task) { return .restricted(fault) }
    let origin = request.url.origin
    guard allows(origin) else { return .transport(.addressRefused) }
    if request.proxy != nil, configuration.addresses.refusePrivate, !surroundings.isPublicAddress(origin.host)
    {
      return .transport(.addressRefused)
    }
    if let rule = ruleAgainstCleartext(to: origin) { return .policyRefused(rule: rule) }
    if let rule = ruleAgainstWay(of: request) { return .policyRefused(rule: rule) }
    let isBodyGone = task.hasBodyBegun && task.machine.currentStep.body == .notReplayable
    return request.sendsBody && isBodyGone ? .transport(.bodyNotReplayable) : nil
  }

  /// Whether the configuration lets this origin be fetched, on the first step and after redirects.
  package func allows(_ origin: Origin) -> Bool { allowedOrigins?.contains(origin) ?? true }

  func ruleAgainstCleartext(to origin: Origin) -> String? {
    origin.isSecure ? nil : moment.policy.ruleAgainstCleartext(to: origin.host)
  }

  /// The connections that an exchange of this task with the origin may use.
  mutating func partition(
    for task: SessionTask, to origin: Origin, through way: ProxyHop?
  ) -> ConnectionPartition {
    var shared = sharedPartition(for: task, to: origin)
    if let way {
      shared.proxy = ConnectionPartition.ProxyRoute(
        way.proxy, credential: way.credential,
        partition: sharedPartition(for: task, to: way.proxy.origin),
        bound: task.machine.isOnBoundConnection(at: .proxy) ? boundConnection(of: task, at: .proxy) : nil)
    }
    if let versions = task.request.versions, versions != AllowedVersions(configuration),
      origin.isSecure || way?.proxy.origin.isSecure == true || versions.ip != nil
    {
      shared.versions = versions
    }
    if task.machine.isOnBoundConnection(at: .origin) { shared.bound = boundConnection(of: task, at: .origin) }
    guard shared.isOneConnection else { return shared }
    if shared.bound != nil { memory.bound.note(shared, of: task.holder(at: .origin)) }
    if shared.proxy?.bound != nil { memory.bound.note(shared, of: task.holder(at: .proxy)) }
    return shared
  }

  private func boundConnection(of task: SessionTask, at hop: Hop) -> UInt64? {
    memory.bound.connection(of: task.holder(at: hop))
  }

  /// The same for the handshake with one of its hops.
  private mutating func sharedPartition(for task: SessionTask, to origin: Origin) -> ConnectionPartition {
    guard origin.isSecure else { return .common }
    // Connections opened with a removed or expired identity or decision are not used again.
    removeExpiredIdentities()
    removeExpiredTrust()
    var partition = trust.partition(
      for: task.identifier, to: origin, isAsked: board.roster.seesEveryChain(of: task.waiter))
    partition.isAskedForIdentities = identities.hasAsked(origin) && isAskedForIdentities(task)
    return partition
  }

  /// Whether a delegate can be asked which client certificate this task presents.
  func isAskedForIdentities(_ task: SessionTask) -> Bool {
    board.roster.takesIdentityQuestions(of: task.waiter)
  }

  /// The first step, with what the session adds.
  func completed(_ step: RequestStep) -> RequestStep {
    var step = step
    step.headers = CallerFields.merged(task: step.headers, session: configuration.headers, for: step.url)
    // A caller's own field in place of a key carries a secret, too.
    step.sensitiveNames.formUnion(memory.keyFields(at: step.url.origin))
    return step
  }

  /// The proxies of a task; nil when no setting concerns any origin.
  func rules(of proxies: TaskRequest.Proxies) -> ProxyRules? {
    switch proxies {
    case .ofSession: self.proxies
    case .ofEnvironment: surroundings.proxies
    case .rules(let rules): rules
    case .none: nil
    }
  }

  /// How a first exchange would authenticate, and the kept credential that does not count for it.
  package struct Prospect: Sendable, Equatable {
    package var expectation = AuthenticationStateMachine.Expectation.nothing
    package var passedOver: PassedOver?
    /// What it would carry in fields of their own.
    package var keys: [ExpectedKey] = []
    /// What callers have chosen of its way.
    package var callersWays: [CallersWay.Choice] = []
    /// The server that a `Host` field names in place of the URL's.
    package var namedHost: NamedHost?

    package init() {}
  }

  /// A key that a request would carry.
  package struct ExpectedKey: Sendable, Equatable {
    /// In lower case.
    package let field: String
    package let source: ProposedCredential.Source
  }

  /// The proxy that leads to an origin, and how a first exchange would authenticate to it; what `explain`
  /// reports.
  package mutating func proxyProspect(
    for url: RequestURL, through proxies: TaskRequest.Proxies, method: String, headers: [HeaderField] = [],
    process: ProcessIdentifier?
  ) -> (choice: ProxyChoice?, Prospect) {
    let choice = rules(of: proxies)?.choice(for: url.origin)
    guard let choice, let proxy = choice.proxy else { return (choice, Prospect()) }
    let use = CredentialUse(
      of: proxy, for: url, method: method, task: nil, process: process, now: moment.now,
      wallClock: moment.wallClock)
    let fields = completed(RequestStep(url: url, method: method, headers: headers)).headers
    let isCallers = !proxy.type.isSOCKS && fields.first("proxy-authorization") != nil
    return (choice, prospect(of: use, .proxy, hasCallerAuthorization: isCallers))
  }

  /// How a task with this URL would authenticate its first request, without sending it: what `explain`
  /// reports.
  package mutating func prospect(
    for url: RequestURL, through proxies: TaskRequest.Proxies = .ofSession, method: String,
    headers: [HeaderField] = [], process: ProcessIdentifier?
  ) -> Prospect {
    let step = completed(RequestStep(url: url, method: method, headers: headers))
    var use = CredentialUse(
      url: url, method: method, process: process, now: moment.now, wallClock: moment.wallClock)
    use.route = RequestRoute(
      proxy: rules(of: proxies)?.choice(for: url.origin)?.proxy,
      host: NamedHost(step.headers.first("host"), at: url.origin))
    var prospect = prospect(
      of: use, .origin, hasCallerAuthorization: step.headers.first("authorization") != nil)
    let keys = memory.keys(for: use, authentication.policy) { name in
      step.headers.contains { $0.isNamed(name) }
    }
    prospect.keys = keys.compactMap { key in
      key.space.field.map { ExpectedKey(field: $0, source: memory.source(of: key)) }
    }
    if prospect.passedOver == nil {
      prospect.passedOver = memory.keyPassedOver(for: use, authentication.policy)
    }
    return prospect
  }

  private mutating func prospect(
    of use: CredentialUse, _ hop: Hop, hasCallerAuthorization: Bool
  ) -> Prospect {
    let machine = AuthenticationStateMachine(for: hop, authentication)
    var prospect = Prospect()
    prospect.namedHost = use.route.host
    prospect.callersWays = memory.ways.choices(
      to: use.url.origin, by: use.route, for: use.task, isForm: forms.contains { $0.covers(use.url) })
    prospect.expectation = machine.expectation(
      for: use, hasCallerAuthorization: hasCallerAuthorization, memory)
    if !hasCallerAuthorization {
      prospect.passedOver = machine.passedOver(for: use, prospect.expectation, memory)
    }
    return prospect
  }
}

/// Connections that are authenticated with a credential (methods.md 14.3).
extension SessionState {
  /// Resumes the tasks that have a connection now, and closes connections that are not used again.
  mutating func giveConnections() {
    close(memory.bound.takeClosed())
    for account in memory.bound.takeEnded() { effects.append(.forgetTickets(account: account)) }
    for holder in memory.bound.takeGranted() { follow(.turn(holder.task)) }
  }

  /// A credential of the space has changed: connections under the former one are not used again.
  mutating func endConnections(of space: ProtectionSpace) {
    let current = memory.kinds(of: space)
    memory.bound.end(space) { current.contains($0) }
  }
}
