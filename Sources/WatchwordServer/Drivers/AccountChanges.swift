internal import WatchwordCore
internal import WatchwordReactor

/// What has changed for all sessions of a uid.
enum AccountChange {
  /// The permanent credentials.
  case credentials(PermanentCredentials.Alteration)
  /// The permanent identities.
  case identities([PermanentIdentityChange])
  /// The permanent identities are in memory again.
  case identitiesRead
  /// A permanent decision was removed.
  case trustRemoved
  /// The certificate authorities of the user.
  case roots
  /// The administrator's rules.
  case policy
}

/// The changes that some session of a uid has not followed yet.
///
/// A change counts for a session from the moment it is added. There may be thousands of sessions: each
/// follows it in a step of its own, or before whatever happens in it earlier (storage.md 9.8.5).
@ReactorActor
final class AccountChanges {
  /// The last ones, up to number `last`.
  private var changes: [AccountChange] = []
  /// The number of the newest change. A session knows the number of the last one that it has followed.
  private(set) var last: UInt64 = 0
  private let taker: TurnTaker
  private let sessions: @ReactorActor () -> [SessionDriver]
  private var isWalking = false
  /// Called when all sessions have followed the change of this number.
  private var waiting: [(number: UInt64, then: @ReactorActor () -> Void)] = []

  /// - Parameter sessions: those of the uid.
  init(of uid: UInt32, sessions: @escaping @ReactorActor () -> [SessionDriver]) {
    taker = EventLoop.shared.taker(of: uid)
    self.sessions = sessions
  }

  func add(_ change: AccountChange) {
    changes.append(change)
    last += 1
    guard !isWalking else { return }
    isWalking = true
    taker.add { self.walk() }
  }

  /// The changes after the one of a number.
  func after(_ number: UInt64) -> ArraySlice<AccountChange> { changes.suffix(Int(clamping: last &- number)) }

  /// - Parameter then: called when all sessions have followed what was added so far; at once if they have.
  func whenFollowed(_ then: @escaping @ReactorActor () -> Void) {
    guard isWalking else { return then() }
    waiting.append((last, then))
  }

  private func walk() {
    let number = last
    SessionDriver.carryOutWhatIsDue(in: sessions(), inTurnsOf: taker) { [self] in
      changes = Array(after(number))
      // What is called may add changes, and wait for them.
      let called = waiting.prefix { $0.number <= number }
      waiting.removeFirst(called.count)
      isWalking = last != number
      if isWalking { taker.add { self.walk() } }
      for entry in called { entry.then() }
    }
  }
}
