internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// A restriction in force: the session that its connections fetch in, and its time. The session's state has its rules.
@ReactorActor
final class ActiveRestriction {
  let identifier: RestrictionIdentifier
  /// Nil when the session has ended: no other one takes its place.
  private weak var known: Session?
  private let charge: MemoryCharge
  private var timer: LoopTimer?

  /// - Parameter charge: for the memory of the rules.
  init(_ identifier: RestrictionIdentifier, in session: Session, charge: MemoryCharge) {
    self.identifier = identifier
    known = session
    self.charge = charge
  }

  var session: Session? { known.flatMap { $0.isOver ? nil : $0 } }

  /// Puts the rules in force, until they expire.
  func begin(_ rules: [RestrictionRule], seconds: Double?) {
    let now = EventLoop.shared.now
    session?.restrict(by: identifier, Restriction(rules, expires: seconds.map { now + $0 }, now: now))
    guard let seconds else { return }
    timer = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.expire() }
  }

  /// The session that a request means.
  func session(named name: String?) throws(RPCError) -> Session {
    guard let session else { throw RPCError(.sessionInvalidated, "the session has ended") }
    guard name == nil || name == session.name else { throw refuse(RestrictionFault(.session)) }
    return session
  }

  /// Notes a violation; its error.
  func refuse(_ fault: RestrictionFault, path: String? = nil) -> RPCError {
    session?.take { $0.violated(identifier, fault, at: $1) }
    return .restricted(fault, path: path)
  }

  /// No connection has it any more.
  func end() {
    timer?.cancel()
    session?.take { state, _ in
      state.removeRestriction(identifier)
      return []
    }
    charge.giveBack()
  }

  private func expire() { session?.take { $0.expire(identifier, at: $1) } }
}
