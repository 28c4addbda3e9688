package import WatchwordVocabulary

/// A task as its session sees it: its machine, and who started it.
///
/// A reference, so that no event copies the machine. Nothing but the session's state changes it.
package final class SessionTask {
  package let identifier: TaskIdentifier
  /// The connection that started it.
  package let peer: PeerIdentifier?
  package let process: Int32?
  /// Whether it outlives the connection that started it.
  package let isDetached: Bool
  package internal(set) var machine: TaskStateMachine
  package internal(set) var isSuspended = false
  /// Whether bytes of the request's body have been given to a connection.
  var hasBodyBegun = false
  /// How its exchange ended, while what that means waits for `task/resume`.
  var pendingEnd: ExchangeEnd?

  struct ExchangeEnd {
    let error: TransportError?
    let body: DigestBody
  }

  /// The request body for Digest `auth-int`.
  let bodyDigest: (DigestAlgorithm) -> DigestBody

  init(_ request: TaskRequest, machine: TaskStateMachine) {
    identifier = request.identifier
    peer = request.peer
    process = request.process
    isDetached = request.isDetached
    bodyDigest = request.bodyDigest
    self.machine = machine
  }

  // MARK: What the driver asks for

  // Read here: in another module each of them would copy the machine first.

  package var phase: TaskStateMachine.Phase { machine.phase }
  /// Of the current hop.
  package var url: RequestURL { machine.hop.url }
  package var method: String { machine.hop.method }
  package var head: ResponseHead? { machine.head }
  package var redirects: [TaskStateMachine.RedirectRecord] { machine.redirects }
  package var methodInUse: AuthenticationMethod? { machine.methodInUse }
  package var isPreemptive: Bool { machine.isPreemptive }
  package var proxy: Proxy? { machine.proxy }
  package var responseHash: HashAlgorithm? { machine.responseHash }

  var waiter: ChallengeWaiter { ChallengeWaiter(task: identifier, peer: peer) }
}
