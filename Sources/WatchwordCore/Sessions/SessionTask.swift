package import WatchwordVocabulary

/// A task as its session sees it: its machine, and who started it.
///
/// Nothing but the session's state changes it, or its machine.
package final class SessionTask {
  package let request: TaskRequest
  /// Of the connection that started it.
  package let restriction: RestrictionIdentifier?
  /// Header fields that a rule of the restriction has to add.
  let addedFields: Set<String>
  /// What the restriction allows now.
  var permit: Restriction.Permit?
  /// What it has met and does next.
  package let machine: TaskStateMachine
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

  let surroundings: TaskStateMachine.Surroundings

  init(
    _ request: TaskRequest, restriction: RestrictionIdentifier?, firstStep: RequestStep,
    authentication: AuthenticationStateMachine.Settings, redirects: RedirectPolicy, proxies: ProxyRules?,
    surroundings: TaskStateMachine.Surroundings
  ) {
    self.request = request
    self.restriction = restriction
    addedFields = restriction == nil ? [] : RestrictedFields.added(in: request.firstStep.headers)
    self.surroundings = surroundings
    machine = TaskStateMachine(
      request: firstStep, authentication: authentication, redirectPolicy: redirects, proxies: proxies)
  }

  package var identifier: TaskIdentifier { request.identifier }
  package var peer: PeerIdentifier? { request.peer }
  package var process: ProcessIdentifier? { request.process }

  // MARK: What the driver asks for

  /// Why no more of a stream may be sent than before these bytes; nil when it may.
  package func failure(sending bytes: Int64) -> TaskFailure? {
    guard let limit = permit?.requestBytes, bytes > limit else { return nil }
    return .restricted(RestrictionFault(.requestBytes, to: machine.currentStep.url.origin))
  }

  /// Why nothing of the result with this head is delivered: it announces more than the caller takes
  /// (messages.md 5.5.2).
  package func failure(delivering head: ResponseHead) -> TaskFailure? {
    guard let maximumBodyBytes = request.maximumBodyBytes,
      head.announcedBodyBytes(to: machine.currentStep.method, isDecoded: request.exchanges.decodesContent)
        ?? 0
        > maximumBodyBytes
    else { return nil }
    return .bodyTooLarge(.maximumBodyBytes)
  }

  /// Why no more of the result's body is delivered than before these bytes; nil when it is.
  package func failure(delivering bytes: Int64) -> TaskFailure? {
    if let limit = permit?.responseBytes, bytes > limit {
      return .restricted(RestrictionFault(.responseBytes, to: machine.currentStep.url.origin))
    }
    guard let maximumBodyBytes = request.maximumBodyBytes, bytes > maximumBodyBytes else { return nil }
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
  /// The connection that started the task.
  package var peer: PeerIdentifier?
  package var process: ProcessIdentifier?
  /// Whether the task outlives the connection that starts it.
  package var isDetached = false
  /// The task's own; the session's header fields are added.
  package let firstStep: RequestStep
  package var followsRedirects = true
  /// Instead of the session's; nil: the session's.
  package var redirectLimit: Int?
  /// Nil: the session's.
  package var versions: AllowedVersions?
  package var proxies = Proxies.ofSession
  /// For the log and the history.
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

  package init(identifier: TaskIdentifier, firstStep: RequestStep) {
    self.identifier = identifier
    self.firstStep = firstStep
  }
}
