internal import WatchwordVocabulary

/// Authenticates a connection, token by token: Negotiate and NTLM (methods.md 14).
extension AuthenticationStateMachine {
  /// What this task and its server have exchanged on the task's connection.
  struct Negotiation: Sendable {
    enum Phase: Sendable {
      /// The first token has to be made.
      case ready
      /// The server's token in base64, which has to be answered.
      case answered(String)
      case making
      case made(Secret, isComplete: Bool)
      /// The exchange carries a token.
      case sent(isComplete: Bool)
      /// The exchange carries none: the connection is authenticated.
      case trusted
      case verifying(ResponseHead)
    }

    let space: ProtectionSpace
    let credential: Credential.Kind
    /// Where a tunnel leads that is asked for; nil: the connection is to the server of the space.
    let target: String?
    let account: UInt64
    /// What has authenticated the connection, as far as it is known.
    var mechanism: InnerMechanism?
    var context: UInt64 = 0
    var phase: Phase
    var serverEndPoint: [UInt8]
    /// Whether the server has asked for a token at this URL.
    var isAsked: Bool
    /// Whether the next token is made with another ticket.
    var renewsTicket = false
    /// Tokens sent in this context.
    var count = 0
  }

  /// Tokens that one negotiation may need; NTLM needs two, Kerberos one.
  static let tokenLimit = 8
  /// Negotiations that may lose their connection in one task.
  static let restartLimit = 3
  /// The longest token of a server, in bytes of base64.
  static let maximumTokenBytes = 65_536

  /// Whether the next exchange needs a token first.
  var makesToken: Bool {
    switch negotiation?.phase {
    case .ready?, .answered?, .making?: true
    case .made?, .sent?, .trusted?, .verifying?, nil: false
    }
  }

  func holder(_ use: CredentialUse) -> BoundConnections.Holder? {
    use.task.map { BoundConnections.Holder(task: $0, hop: hop) }
  }

  /// The mechanism inside of Negotiate that has authenticated the connection of the exchange.
  var mechanismInUse: InnerMechanism? {
    guard let negotiation, negotiation.space.authenticationMethod == .negotiate else { return nil }
    switch negotiation.phase {
    case .trusted, .verifying: return negotiation.mechanism
    case .ready, .answered, .making, .made, .sent: return nil
    }
  }

  /// Whether its exchange runs on a connection of its credential.
  var isOnBoundConnection: Bool { negotiation != nil }

  /// What the connection of the prepared exchange must be; nil: any.
  var binding: ConnectionBinding? {
    guard let negotiation, case .sent(let isComplete) = negotiation.phase else { return nil }
    return ConnectionBinding(
      requiresReuse: negotiation.count > 1, serverEndPoint: negotiation.serverEndPoint,
      omitsBody: negotiation.space.authenticationMethod == .ntlm && !isComplete)
  }

  // MARK: Sending

  func prepare(onConnection choice: Choice, _ attempt: Attempt) -> Preparation {
    let space = choice.space
    guard let holder = holder(attempt.use),
      let credential = credential(of: choice, attempt.memory)
    else {
      next = .nothing
      releaseConnection(attempt)
      return .ready(nil)
    }
    if let known = negotiation,
      known.space != space || known.credential != credential.kind || known.target != attempt.use.tunnelTarget
    {
      releaseConnection(attempt)
    }
    if negotiation == nil {
      let lease = attempt.memory.bound.lease(
        space, credential.kind, isKept: credential.persistence != .none, to: attempt.use.tunnelTarget,
        for: holder, limit: settings.connectionLimit)
      guard let lease else {
        next = .choice(choice)
        return .waiting
      }
      let seen = refusal?.response?.serverEndPoint ?? []
      negotiation = Negotiation(
        space: space, credential: credential.kind, target: attempt.use.tunnelTarget, account: lease.account,
        mechanism: lease.mechanism,
        phase: lease.isAuthenticated ? .trusted : .ready,
        serverEndPoint: lease.serverEndPoint.isEmpty ? seen : lease.serverEndPoint,
        isAsked: !choice.isUnasked)
    }
    switch negotiation?.phase {
    case .answered(let input)?: return makeToken(choice, input: input, attempt.memory)
    case .made(let token, let isComplete)?:
      negotiation?.phase = .sent(isComplete: isComplete)
      negotiation?.count += 1
      return carry(choice, attempt) ? .ready(Self.value(token, space)) : .ready(nil)
    case .trusted?:
      _ = carry(choice, attempt)
      return .ready(nil)
    case .ready?, .making?, .sent?, .verifying?, nil: return makeToken(choice, input: nil, attempt.memory)
    }
  }

  private func makeToken(_ choice: Choice, input: String?, _ memory: SessionMemory) -> Preparation {
    guard var negotiation else { return .ready(nil) }
    if input == nil {
      negotiation.context = memory.bound.makeNumber()
      negotiation.count = 0
    }
    negotiation.phase = .making
    self.negotiation = negotiation
    next = .choice(choice)
    return .token(step(negotiation, input: input))
  }

  private func step(_ negotiation: Negotiation, input: String?) -> NegotiationStep {
    NegotiationStep(
      account: negotiation.account, context: negotiation.context,
      method: negotiation.space.authenticationMethod, host: negotiation.space.origin.host,
      credential: negotiation.credential, input: input, serverEndPoint: negotiation.serverEndPoint,
      policy: policy.negotiate, renewsTicket: negotiation.renewsTicket && input == nil)
  }

  /// Counts the use of the credential; false when it must not be used any more.
  private func carry(_ choice: Choice, _ attempt: Attempt) -> Bool {
    next = .nothing
    phase = .prepared(Prepared(choice))
    guard send(choice, attempt) != nil else {
      releaseConnection(attempt)
      return false
    }
    return true
  }

  private func credential(of choice: Choice, _ memory: SessionMemory) -> Credential? {
    switch choice {
    case .own(let space): spaces[space]?.own?.credential
    case .cached(let key, _, _), .unasked(let key): memory.entry(key)?.credential
    case .renewed: nil
    }
  }

  /// The whole field value.
  private static func value(_ token: Secret, _ space: ProtectionSpace) -> Secret {
    let scheme: StaticString = space.authenticationMethod == .ntlm ? "NTLM " : "Negotiate "
    return Secret(count: scheme.utf8CodeUnitCount + Base64.encodedCount(of: token.count)) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      let text = UnsafeMutableRawBufferPointer(rebasing: target[writer.position...])
      token.withBytes { Base64.encode($0, into: text) }
    }
  }

  // MARK: Tokens

  /// A token has been made, or could not be.
  func negotiated(_ outcome: NegotiationOutcome, _ attempt: Attempt) -> Step {
    guard case .making? = negotiation?.phase else { return Step(outcome: .retry) }
    switch outcome {
    case .token(let token, let isComplete):
      negotiation?.phase = .made(token, isComplete: isComplete)
      return Step(outcome: .retry)
    case .established: return failed(.tokenRefused, attempt)
    case .refused(let fault): return refused(fault, attempt)
    case .failed(let fault): return failed(fault, attempt)
    }
  }

  /// The server has refused the token (NegTokenResp with `reject`, or KRB-ERROR): perhaps because it has
  /// another key than the cached ticket is for, so that another ticket is tried once. Then the credential is
  /// refused.
  private func refused(_ fault: NegotiationFault, _ attempt: Attempt) -> Step {
    guard let space = negotiation?.space, !fault.isRefusal, !record(of: space).hasRenewedTicket else {
      return failed(fault, isRefusal: true, attempt)
    }
    spaces[space, default: SpaceRecord()].hasRenewedTicket = true
    negotiation?.phase = .ready
    negotiation?.renewsTicket = true
    return Step(outcome: .retry)
  }

  private func failed(_ fault: NegotiationFault, isRefusal: Bool = false, _ attempt: Attempt) -> Step {
    guard let negotiation else { return Step(outcome: .retry) }
    let (space, kind) = (negotiation.space, negotiation.credential)
    let own = spaces[space]?.own
    let choice = next.choice
    next = .nothing
    releaseConnection(attempt)
    guard !fault.isOfServer else {
      return Step(outcome: .fail(.negotiation(fault)), report: abandonTrial(space))
    }
    var report: TrialReport? = own?.isOnTrial == true ? .inconclusive : nil
    if fault.isRefusal || isRefusal {
      let source: SentCredential.Source
      switch choice {
      case .cached(let key, _, _)?, .unasked(let key)?:
        source = .cached(key, generation: attempt.memory.entry(key)?.generation ?? 0)
      case .own?, .renewed?, nil: source = .own(space)
      }
      let sent = SentCredential(
        kind: kind, source: source, ticket: nil, knownGeneration: attempt.memory.latestGeneration)
      _ = noteRefusal(of: sent, attempt.memory)
      if report != nil { report = .refused(kind) }
    }
    leaveTrial(attempt.memory)
    // No server has answered, but a delegate could give another one for ever.
    roundCount += 1
    spaces[space, default: SpaceRecord()].note(fault, of: kind)
    // Nothing was refused yet: the server is asked what it offers.
    guard refusal != nil else { return Step(outcome: .retry, report: report) }
    guard record(of: space).refusalCount < settings.refusalBudget, !hasMetTooManyRefusals else {
      return Step(outcome: .deliver, report: report)
    }
    guard record(of: space).hasFailedForGood else {
      return Step(outcome: choose(attempt), report: report)
    }
    spaces[space]?.isExcluded = true
    return Step(outcome: choose(attempt, after: fault), report: report)
  }

  // MARK: Responses

  /// The connection's server, for the channel binding of the tokens to come.
  func noteServer(_ head: ResponseHead, _ attempt: Attempt) {
    guard negotiation != nil, let holder = holder(attempt.use), !head.serverEndPoint.isEmpty else { return }
    negotiation?.serverEndPoint = head.serverEndPoint
    attempt.memory.bound.note(serverEndPoint: head.serverEndPoint, of: holder)
  }

  /// The next step of the negotiation after a refusal; nil when there is none, or the credential is refused.
  func continuation(of head: ResponseHead, _ attempt: Attempt) -> Step? {
    guard let negotiation, let holder = holder(attempt.use) else { return nil }
    attempt.memory.bound.note(isAuthenticated: false, of: holder)
    let offer = offer(for: negotiation.space)
    // A server that closes the connection after each token would make this begin again without end.
    roundCount += 1
    switch negotiation.phase {
    case .trusted:
      // The server has forgotten the connection, it is another one, or each request needs a token.
      guard offer != nil, roundCount < Self.roundLimit else { break }
      if head.isOnReusedConnection { attempt.memory.bound.noteTokenAlways(for: holder) }
      self.negotiation?.phase = .ready
      self.negotiation?.isAsked = true
      carryAgain()
      return Step(outcome: .retry)
    case .sent(isComplete: false):
      guard let token = offer?.token, token.utf8.count <= Self.maximumTokenBytes,
        negotiation.count < Self.tokenLimit, roundCount < Self.roundLimit
      else { break }
      self.negotiation?.phase = .answered(token)
      carryAgain()
      return Step(outcome: .retry)
    case .sent(isComplete: true), .ready, .answered, .making, .made, .verifying: break
    }
    releaseConnection(attempt)
    return nil
  }

  /// The same request goes out once more, with the next token: that is no further use.
  private func carryAgain() {
    guard let prepared else { return }
    noteRepetition(of: prepared.choice)
    next = .choice(prepared.choice)
  }

  /// What has to be verified before a response that is no refusal is delivered; nil: nothing.
  func verification(of head: ResponseHead, _ attempt: Attempt) -> Step? {
    guard let negotiation, let holder = holder(attempt.use), case .sent(let isComplete) = negotiation.phase
    else {
      return nil
    }
    // An error page may be from another server in front.
    let isFromServer = head.status < 500
    guard negotiation.space.authenticationMethod == .negotiate else {
      authenticated(isFromServer, holder, attempt.memory)
      return nil
    }
    let tokens = ChallengeHeaderParser.parse(head.headers.octetStrings(of: hop.challengeField))
      .filter { $0.scheme == "negotiate" }.compactMap(\.token68)
    guard let token = tokens.first else {
      // Proxies send none (squid): nothing of theirs is delivered, and what they forward over http proves
      // nothing. A page that needs no user ignores a token that its server did not ask for.
      let isEnough = isComplete || hop == .proxy
      if isEnough || !isFromServer || !negotiation.isAsked {
        authenticated(isEnough && isFromServer, holder, attempt.memory)
        return nil
      }
      return notAuthenticated(negotiation.space)
    }
    guard tokens.count == 1, token.utf8.count <= Self.maximumTokenBytes, !isComplete else {
      return notAuthenticated(negotiation.space)
    }
    self.negotiation?.phase = .verifying(head)
    return Step(outcome: .verify(step(negotiation, input: token)))
  }

  /// The server's last token has been verified: the response counts, unless the token disproves it.
  func verified(_ outcome: NegotiationOutcome, _ attempt: Attempt) -> Step {
    guard let negotiation, case .verifying(let head) = negotiation.phase else {
      return Step(outcome: .proceed)
    }
    switch outcome {
    case .established(let mechanism):
      if let holder = holder(attempt.use) { authenticated(true, by: mechanism, holder, attempt.memory) }
      let step = settled(head, attempt)
      leaveTrial(attempt.memory)
      return step
    // The server is no impostor, but has not proved itself either.
    case .failed(.ticketExpired):
      return Step(outcome: .fail(.negotiation(.ticketExpired)), report: abandonTrial(negotiation.space))
    case .token, .refused, .failed: return notAuthenticated(negotiation.space)
    }
  }

  private func authenticated(
    _ isAuthenticated: Bool, by mechanism: InnerMechanism? = nil, _ holder: BoundConnections.Holder,
    _ memory: SessionMemory
  ) {
    negotiation?.phase = isAuthenticated ? .trusted : .ready
    negotiation?.mechanism = mechanism
    memory.bound.note(isAuthenticated: isAuthenticated, by: mechanism, of: holder)
  }

  private func notAuthenticated(_ space: ProtectionSpace) -> Step {
    Step(outcome: .fail(.serverNotAuthenticated), report: abandonTrial(space))
  }

  // MARK: Connections

  /// The exchange was lost, or does not say anything about its connection: the next one begins with a first
  /// token.
  func connectionLost(_ attempt: Attempt) {
    guard negotiation != nil else { return }
    negotiation?.phase = .ready
    if let holder = holder(attempt.use) { attempt.memory.bound.note(isAuthenticated: false, of: holder) }
  }

  /// Another task may use the connection.
  func releaseConnection(_ attempt: Attempt) {
    guard negotiation != nil else { return }
    negotiation = nil
    if let holder = holder(attempt.use) { attempt.memory.bound.release(holder) }
  }
}
