package import WatchwordVocabulary

/// A task as its session sees it: its machine, and who started it.
///
/// A reference, so that no event copies the machine. Nothing but the session's state changes it.
package final class SessionTask {
  package let identifier: TaskIdentifier
  /// The connection that started it.
  package let peer: PeerIdentifier?
  package let process: ProcessIdentifier?
  /// Whether it outlives the connection that started it.
  package let isDetached: Bool
  /// Of the connection that started it.
  package let restriction: RestrictionIdentifier?
  /// Header fields that a rule of the restriction has to add.
  let addedFields: Set<String>
  /// What the restriction allows now.
  var permit: Restriction.Permit?
  var machine: TaskStateMachine
  package internal(set) var isSuspended = false
  /// Whether it waits until the agent is unlocked.
  package internal(set) var isHeld = false
  /// Whether bytes of the request's body have been given to a connection.
  var hasBodyBegun = false
  /// What it would have sent, while it waits for `task/resume`.
  var pendingRequest: ExchangeRequest?
  /// How its exchange ended, while what that means waits for `task/resume`.
  var pendingEnd: TaskEvent?

  /// Credentials that it has tried and that are being written to the disk: it finishes after that.
  var keeping = 0
  /// How it has finished, while it waits for the disk.
  var heldOutcome: TaskFailure??

  /// Nil: the session's.
  let versions: AllowedVersions?
  /// Of the request body; nil for a stream.
  let bodyBytes: Int64?
  private let maximumBodyBytes: Int64?
  private let decodesContent: Bool
  /// For the log and the history.
  package let traceContext: TraceContext?
  let surroundings: TaskStateMachine.Surroundings

  @inline(never) init(
    _ request: TaskRequest, restriction: RestrictionIdentifier?, firstStep: RedirectStep,
    authentication: AuthenticationStateMachine, redirects: RedirectPolicy, proxies: ProxyRules?,
    surroundings: TaskStateMachine.Surroundings
  ) {
    identifier = request.identifier
    peer = request.peer
    process = request.process
    isDetached = request.isDetached
    self.restriction = restriction
    addedFields = restriction == nil ? [] : RestrictedFields.added(in: request.firstStep.headers)
    versions = request.versions
    bodyBytes = request.bodyBytes
    maximumBodyBytes = request.maximumBodyBytes
    decodesContent = request.exchanges.decodesContent
    traceContext = request.traceContext
    self.surroundings = surroundings
    machine = TaskStateMachine(
      request: firstStep, authentication: authentication, redirectPolicy: redirects, proxies: proxies)
  }

  // MARK: What the driver asks for

  // Read here: in another module each of them would copy the machine first. So do the machine's own getters,
  // which those that every fetch reads pass over.

  package var phase: TaskStateMachine.Phase { machine.phase }
  /// Of the current step.
  package var url: RequestURL { machine.currentStep.url }
  package var method: String { machine.currentStep.method }
  package var head: ResponseHead? { machine.head }
  package var redirects: [TaskStateMachine.RedirectRecord] { machine.redirects }
  package var methodInUse: AuthenticationMethod? { machine.authentication.sent?.space.authenticationMethod }
  package var mechanismInUse: InnerMechanism? {
    machine.authentication.negotiation == nil ? nil : machine.mechanismInUse
  }
  package var isPreemptive: Bool { machine.authentication.sent?.isPreemptive ?? false }
  /// Whether the running exchange carries a key in a field of its own.
  package var carriesKey: Bool { !machine.sentKeys.isEmpty }
  package var proxy: Proxy? { machine.proxy }
  /// Whether the response is a login page and not what was asked for (methods.md 16.10).
  package var isLoginPage: Bool { machine.isRefusedByForm || machine.lacksLoginField }
  /// What the questions of the step take, which are kept until its end.
  package var questionBytes: Int { machine.askedSpaces.reduce(0) { $0 + $1.questionBytes } }
  /// The request that a redirect leads to, while its delegate is asked.
  package var proposedRedirect: RedirectedRequest? { machine.proposedRedirect }
  package var responseHash: HashAlgorithm? {
    let isProved =
      !machine.authentication.isUnproved
      && (machine.proxyMachine.isEmpty || !machine.proxyMachine[0].isUnproved)
    return isProved ? nil : machine.responseHash
  }

  /// What a response that is the result names that cannot be answered.
  package func unusableOffers(of status: Int) -> UnusableOffers {
    let isRefusal = status == Hop.origin.refusal || status == Hop.proxy.refusal
    return isRefusal || machine.lacksLoginField ? machine.unusableOffers(of: status) : UnusableOffers()
  }

  /// What the answer of a delegate makes of a redirect.
  package func redirect(
    _ proposed: RedirectedRequest, changedBy change: RedirectChange
  ) throws(RedirectFault) -> RedirectedRequest {
    try machine.redirect(proposed, changedBy: change)
  }

  /// Why no more of a stream may be sent than before these bytes; nil when it may.
  package func failure(sending bytes: Int64) -> TaskFailure? {
    guard let limit = permit?.requestBytes, bytes > limit else { return nil }
    return .restricted(RestrictionFault(.requestBytes, to: url.origin))
  }

  /// Why nothing of the result with this head is delivered: it announces more than the caller takes
  /// (messages.md 5.5.2).
  package func failure(delivering head: ResponseHead) -> TaskFailure? {
    guard let maximumBodyBytes,
      head.announcedBodyBytes(to: method, isDecoded: decodesContent) ?? 0 > maximumBodyBytes
    else { return nil }
    return .bodyTooLarge(.maximumBodyBytes)
  }

  /// Why no more of the result's body is delivered than before these bytes; nil when it is.
  package func failure(delivering bytes: Int64) -> TaskFailure? {
    if let limit = permit?.responseBytes, bytes > limit {
      return .restricted(RestrictionFault(.responseBytes, to: url.origin))
    }
    guard let maximumBodyBytes, bytes > maximumBodyBytes else { return nil }
    return .bodyTooLarge(.maximumBodyBytes)
  }

  /// A response as the connection that started the task may see it.
  package func shown(_ head: ResponseHead) -> ResponseHead {
    guard restriction != nil else { return head }
    var head = head
    head.headers = RestrictedFields.shown(head.headers)
    head.details = nil
    return head
  }

  func holder(at hop: Hop) -> BoundConnections.Holder { BoundConnections.Holder(task: identifier, hop: hop) }

  var waiter: ChallengeWaiter { ChallengeWaiter(task: identifier, peer: peer) }
}

/// What a caller wants fetched, as the session's rules read it, and how its exchanges are made.
package struct TaskRequest {
  package let identifier: TaskIdentifier
  package var peer: PeerIdentifier?
  package var process: ProcessIdentifier?
  /// Whether the task outlives the connection that starts it.
  package var isDetached = false
  /// The task's own; the session's header fields are added.
  package let firstStep: RedirectStep
  package var followsRedirects = true
  /// Instead of the session's; nil: the session's.
  package var redirectLimit: Int?
  /// Nil: the session's.
  package var versions: AllowedVersions?
  package var proxies = Proxies.ofSession
  package var traceContext: TraceContext?
  /// Of the request body; nil for a stream.
  package var bodyBytes: Int64? = 0
  /// Of the result, after decoding; nil: as many as the output takes.
  package var maximumBodyBytes: Int64?
  /// How its exchanges are made.
  package var exchanges = ExchangeSettings()
  /// The request body for Digest `auth-int`.
  package var bodyDigest: (DigestAlgorithm) -> DigestBody = { _ in .empty }

  package enum Proxies: Sendable {
    case ofSession
    case ofEnvironment
    case rules(ProxyRules)
    case none
  }

  package init(identifier: TaskIdentifier, firstStep: RedirectStep) {
    self.identifier = identifier
    self.firstStep = firstStep
  }
}
