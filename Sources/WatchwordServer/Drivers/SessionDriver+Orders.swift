internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What the session has to do because all or many sessions have to.
extension SessionDriver {
  /// From now on this counts as done: it comes before everything else that happens in the session. `catchUp`
  /// does it.
  func owe(_ order: SessionOrder) {
    switch order {
    case .forget, .lock:
      // The engine sends cookies without asking the session.
      engine.cookies.hide()
      authorities = KnownAuthorities()
    case .unlock: break
    case .remove, .askNoMore: noteUse()
    }
    // Nothing has come into the session since.
    guard due.last?.order != order else { return }
    due.append((order, after: changes.last))
    if due.count > SessionDriver.mostDue { catchUp() }
  }

  /// Does what is due; what follows from it is carried out later.
  func catchUp() {
    guard !due.isEmpty || followed != changes.last, !isCatchingUp else { return }
    isCatchingUp = true
    let orders = due
    due = []
    for (order, number) in orders {
      follow(upTo: number)
      carryOut(order)
    }
    follow(upTo: changes.last)
    isCatchingUp = false
  }

  private func carryOut(_ order: SessionOrder) {
    switch order {
    case .forget:
      engine.cookies.disposeOfHidden()
      takeAndPutOff { $0.forget() }
    case .lock:
      engine.cookies.disposeOfHidden()
      takeAndPutOff { $0.lock() }
    case .unlock(let isByReply):
      if isByReply { counters.countAnswer(.useCredential, after: nil) }
      takeAndPutOff { $0.unlock(isByReply: isByReply) }
    case .remove(let peer): takeAndPutOff { $0.remove(peer) }
    case .askNoMore(let peer): takeAndPutOff { $0.register(peer, interest: .nothing) }
    }
  }

  /// Follows what has changed for all sessions of the uid, up to the change of a number.
  private func follow(upTo number: UInt64) {
    guard followed < number else { return }
    let unknown = changes.after(followed)
    let count = Int(clamping: number - followed)
    followed = number
    // It forgets everything when its tasks are stopped.
    guard !isOver else { return }
    for change in unknown.prefix(count) { follow(change) }
  }

  private func follow(_ change: AccountChange) {
    switch change {
    case .credentials(let alteration):
      if account != nil { takeAndPutOff { $0.permanentChanged(alteration) } }
    case .identities(let identities):
      if account != nil { takeAndPutOff { $0.permanentIdentitiesChanged(identities) } }
    case .identitiesRead:
      if account != nil { takeAndPutOff { $0.permanentIdentitiesRead() } }
    case .trustRemoved: takeAndPutOff { $0.permanentTrustRemoved() }
    case .roots:
      takeAndPutOff { $0.replaceUserRoots(with: environment.userRoots(of: uid)) }
    case .policy:
      let unsent = tasks.values.filter(\.isUnsent).map(\.known)
      takeAndPutOff { $0.policyChanged(unsent: unsent) }
    }
  }

  var isLocked: Bool {
    catchUp()
    return state.isLocked
  }

  /// The same with all that follows from it.
  func carryOutWhatIsDue() {
    catchUp()
    carryOutWhatWasPutOff()
  }

  /// Bounds what a caller can have put off by locking and unlocking.
  private static let mostDue = 4

  /// Has many sessions do something, in steps. It counts as done in all of them at once.
  static func owe(_ order: SessionOrder, in sessions: [SessionDriver], inTurnsOf taker: TurnTaker) {
    for session in sessions { session.owe(order) }
    carryOutWhatIsDue(in: sessions, inTurnsOf: taker) {
      $0.restIfUnused()
    } then: {
    }
  }

  /// Carries out what is due in many sessions, in steps.
  ///
  /// - Parameters:
  ///   - done: called after each of them.
  ///   - then: called when all have carried it out.
  static func carryOutWhatIsDue(
    in sessions: [SessionDriver], inTurnsOf taker: TurnTaker,
    done: @escaping @ReactorActor (SessionDriver) -> Void = { _ in },
    then: @escaping @ReactorActor () -> Void
  ) {
    var rest = sessions[...]
    taker.proceed {
      guard let session = rest.first else { return false }
      session.carryOutWhatIsDue()
      guard !session.isBehind else { return true }
      done(session)
      rest.removeFirst()
      return !rest.isEmpty
    } then: {
      // Whoever looked before has still found what was due.
      sessions.first?.environment.restIfUnused()
      then()
    }
  }
}

/// What all or many sessions have to do. There may be thousands: each does it in a step of its own, or before
/// whatever happens in it earlier (storage.md 9.8.5).
enum SessionOrder: Equatable {
  /// The agent of the account is cleared.
  case forget
  /// It is locked.
  case lock
  /// - Parameter isByReply: whether a reply to this session's challenge has unlocked it.
  case unlock(isByReply: Bool)
  /// A connection has left the session, as it has left others.
  case remove(PeerIdentifier)
  /// A connection cannot answer challenges any more.
  case askNoMore(PeerIdentifier)
}
