internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// A restriction in force: the session that its connections fetch in, and its time. The session's state has
/// its rules.
@ReactorActor
final class ActiveRestriction {
  let identifier: RestrictionIdentifier
  /// The connection that has made it, and whose end ends it; nil: the administrator's.
  let maker: PeerIdentifier?
  /// Called when its time is over.
  var onExpire: (() -> Void)?
  /// Nil when the session has ended: no other one takes its place.
  private weak var known: SessionDriver?
  private let charge: MemoryCharge
  private var timer: LoopTimer?

  /// - Parameter charge: for the memory of the rules.
  init(
    _ identifier: RestrictionIdentifier, by maker: PeerIdentifier?, in session: SessionDriver,
    charge: MemoryCharge
  ) {
    self.identifier = identifier
    self.maker = maker
    known = session
    self.charge = charge
  }

  var session: SessionDriver? { known.flatMap { $0.isOver ? nil : $0 } }

  /// Whether its connections run as many tasks as they may.
  var isFull: Bool { session?.state.restrictions[identifier]?.tasks ?? 0 >= Limits.tasksPerRestriction }

  /// Nil when the session has ended.
  var rules: Restriction? { session?.state.restrictions[identifier] }

  /// Puts the rules in force, until they expire.
  func begin(_ rules: [RestrictionRule], seconds: Double?) {
    let now = EventLoop.shared.now
    session?.restrict(by: identifier, Restriction(rules, expires: seconds.map { now + $0 }, now: now))
    guard let seconds else { return }
    timer = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.expire() }
  }

  /// The session that a request of the connection means.
  func session(named name: String?, for peer: Peer) throws(RPCError) -> SessionDriver {
    guard let session else { throw .sessionInvalidated("the session has ended") }
    guard name == nil || name == session.name else { throw refuse(RestrictionFault(.session), to: peer) }
    return session
  }

  /// Notes a violation of the connection; its error.
  func refuse(_ fault: RestrictionFault, to peer: Peer, path: String? = nil) -> RPCError {
    session?.feed { $0.violated(identifier, fault, by: peer.caller) }
    return .restricted(fault, path: path)
  }

  /// Leaves the connection nothing else, for good.
  func restrict(_ peer: Peer) {
    peer.restrict(to: self)
    session?.feed { $0.restrict(peer.identifier, by: identifier) }
  }

  /// No connection has it any more.
  func end() {
    timer?.cancel()
    session?.feed { state in
      state.removeRestriction(identifier)
      return []
    }
    charge.giveBack()
  }

  private func expire() {
    session?.feed { $0.expire(identifier) }
    onExpire?()
  }
}
