/// When the vault of one account is opened, written, wiped and left; its contents are the driver's.
///
/// One thing is done at a time. What is asked for meanwhile waits, and nothing that waits is forgotten: each
/// waiter is answered once. What comes too late means nothing. The order of what could be next:
/// - changes that have come are written before the contents are wiped, and before the file is left;
/// - changes that come after the wiping was asked for wait for the time after it;
/// - the next transaction begins when all sessions have followed the last one.
package struct VaultLifecycle: Sendable, Equatable {
  enum Work {
    case opening
    /// A transaction: the first and the last of these three are over in the same turn.
    case planning
    case writing
    case telling
    case wiping
    case leaving
  }

  /// Twice a second and a half, together.
  private static let longestPatience = 75
  private static let patienceSeconds = 0.02
  package static let isStopping = VaultFault.unavailable("the daemon is stopping")
  static let wasWiped = VaultFault.unavailable("the vault was wiped")

  package private(set) var isOpen = false
  /// Why there is no open vault, when that is not simply because nothing is kept yet.
  package private(set) var fault: VaultFault?
  package private(set) var isForgotten = false
  /// Whether the agent is locked: nothing is read until it is unlocked.
  package private(set) var isUnderLock = false
  package private(set) var isClosed = false
  private(set) var work: Work?
  private(set) var waiters: Set<Waiter> = []
  private(set) var isScheduled = false
  /// Whether the next transaction waits until all sessions have followed the last one: changes do not pile
  /// up.
  private(set) var awaitsSessions = false
  /// Whether the last transaction before the wiping has begun.
  private(set) var isLast = false
  /// Whether another daemon held it at the last try.
  private var wasInUse = false
  /// How often more a request waits for another daemon to leave it: one that was killed needs a moment to
  /// end.
  private var patience = VaultLifecycle.longestPatience
  /// When a vault that could not be opened is tried again, and how long after that.
  private var triedAgainAt = 0.0
  private var delay = GrowingDelay(first: 1, longest: 60)

  package init() {}

  package var isBusy: Bool { work != nil }

  /// Whether it waits for its passphrase.
  package var isLocked: Bool { fault == .locked }

  /// Whether the Secret Service has not given the key.
  package var isWithoutKey: Bool {
    if case .keyring = fault { true } else { false }
  }

  /// Why nothing can be removed: nothing may seem to be gone that counts again after the unlocking.
  package var removalFault: VaultFault? { isLocked || isWithoutKey ? fault : nil }

  package var state: State {
    if isOpen { return .open }
    if isForgotten { return .forgotten }
    return switch fault {
    case .locked, .keyring(_, isLocked: true): .locked
    case nil: .none
    case .damaged, .unavailable, .keyring, .postponed, .wrongPassphrase, .alreadyMade: .unavailable
    }
  }

  /// Whether its contents are read before the next use: they were wiped, or what kept it from being opened
  /// may be gone.
  package func isToBeRead(at now: Double) -> Bool {
    isForgotten || (!isOpen && mayBeTriedAgain && now >= triedAgainAt)
  }

  private var mayBeTriedAgain: Bool {
    switch fault {
    case .damaged, .unavailable, .keyring: true
    case .postponed, .locked, .wrongPassphrase, .alreadyMade, nil: false
    }
  }

  /// Whether a change that comes now waits for the end of the wiping.
  package var putsChangesOff: Bool { waiters.contains(.wiping) && (isOpen || work == .wiping) }

  // MARK: Opening

  /// It was looked for at the daemon's start, when nothing waits for the loop.
  package mutating func started(_ opening: Opening, _ surroundings: Surroundings) -> [Effect] {
    let effects = opened(opening, isMade: false, mayWait: false, surroundings)
    // The first request tries again at once: what kept it from being opened may have been the daemon before.
    triedAgainAt = 0
    // With a key of the Secret Service, which takes its time.
    return effects + (isForgotten ? open(isMade: false) : [])
  }

  /// What a request that needs the open vault has to do.
  package enum Preparation: Sendable, Equatable {
    case ready
    case refused(VaultFault)
    /// A waiter was added.
    case waits([Effect])
  }

  /// It is needed, and made if there is none.
  package mutating func prepare() -> Preparation {
    if isOpen, !isClosed { return .ready }
    guard !isClosed else { return .refused(Self.isStopping) }
    guard !isLocked, !isUnderLock else { return .refused(.locked) }
    waiters.insert(.opening)
    return .waits(open(isMade: true))
  }

  /// It is to be made where there is none, perhaps with a passphrase.
  package mutating func make() -> Preparation {
    guard !isClosed else { return .refused(Self.isStopping) }
    guard !isOpen, fault == nil, !isBusy else { return .refused(fault ?? .alreadyMade) }
    waiters.insert(.opening)
    return .waits(open(isMade: true))
  }

  /// What was wiped is needed; ready when there is no such thing.
  package mutating func read(at now: Double) -> Preparation {
    guard isToBeRead(at: now), !isClosed, !isUnderLock else { return .ready }
    waiters.insert(.reading)
    return .waits(open(isMade: false))
  }

  /// What kept it from being opened is said to be gone: ``read(at:)`` tries at once.
  package mutating func trySoon() {
    triedAgainAt = 0
    delay.reset()
  }

  /// Another daemon that held it may have ended.
  package mutating func openAgain() -> [Effect] {
    wasInUse && !isOpen && !isUnderLock ? open(isMade: false) : []
  }

  private mutating func open(isMade: Bool) -> [Effect] {
    guard !isBusy, !isClosed else { return [] }
    work = .opening
    return [.open(isMade: isMade)]
  }

  /// - Parameters:
  ///   - isMade: whether it would have been made.
  ///   - mayWait: whether requests wait for another daemon to leave the vault. One that is to be made with a
  ///     passphrase is not made without it later.
  package mutating func opened(
    _ opening: Opening, isMade: Bool, mayWait: Bool, _ surroundings: Surroundings
  ) -> [Effect] {
    if work == .opening { work = nil }
    guard !isOpen else { return [] }
    var effects = settle(opening, isMade: isMade, mayWait: mayWait, at: surroundings.now)
    effects += schedule(surroundings)
    return effects + end(surroundings)
  }

  private mutating func settle(_ opening: Opening, isMade: Bool, mayWait: Bool, at now: Double) -> [Effect] {
    let before = fault
    isForgotten = false
    var effects: [Effect] = []
    switch opening {
    case .found:
      isOpen = !isClosed
      (fault, wasInUse, patience) = (nil, false, Self.longestPatience)
      delay.reset()
      effects.append(.hold(keepsFile: isOpen))
    case .nothing:
      (fault, wasInUse) = (nil, false)
      // It may have been removed.
      effects.append(.drop)
      // They came while it was only looked for.
      if waiters.contains(.opening), !isMade, !isClosed { return effects + open(isMade: true) }
    case .failed(.postponed, let isInUse):
      (fault, wasInUse, isForgotten) = (nil, isInUse, true)
    case .failed(let failure, let isInUse):
      (fault, wasInUse) = (failure, isInUse)
      if isLocked || fault != before { effects.append(.report(failure)) }
      if mayWait, isInUse, patience > 0, hasRequests, !isClosed, !isUnderLock {
        patience -= 1
        return effects + [.retry(Self.patienceSeconds)]
      }
      if mayBeTriedAgain { triedAgainAt = now + delay.next() }
    }
    return effects + answerRequests(isOpen ? nil : fault ?? Self.isStopping) + [.note]
  }

  /// A moment has passed since another daemon held it.
  package mutating func retried(_ surroundings: Surroundings) -> [Effect] {
    guard hasRequests else { return [] }
    if isClosed || isUnderLock { return refuseRequests(surroundings) }
    return isOpen ? [] : open(isMade: waiters.contains(.opening))
  }

  private var hasRequests: Bool { waiters.contains(.opening) || waiters.contains(.reading) }

  private mutating func answerRequests(_ fault: VaultFault?) -> [Effect] {
    answer(.opening, fault) + answer(.reading)
  }

  private mutating func refuseRequests(_ surroundings: Surroundings) -> [Effect] {
    answerRequests(.locked) + proceedToEnd(surroundings)
  }

  private mutating func answer(_ waiter: Waiter, _ fault: VaultFault? = nil) -> [Effect] {
    waiters.remove(waiter) == nil ? [] : [.answer(waiter, fault)]
  }

  // MARK: Writing

  /// A change has come.
  package mutating func schedule(_ surroundings: Surroundings) -> [Effect] {
    guard !isScheduled, !isBusy, !awaitsSessions, !surroundings.isQueueEmpty else { return [] }
    isScheduled = true
    return [.schedule]
  }

  package mutating func turnEnded(_ surroundings: Surroundings) -> [Effect] {
    guard isScheduled else { return [] }
    isScheduled = false
    return proceedToEnd(surroundings)
  }

  private mutating func proceed(_ surroundings: Surroundings) -> [Effect] {
    guard !isBusy, !awaitsSessions, !surroundings.isQueueEmpty else { return [] }
    if isForgotten, !isClosed, !isUnderLock { return open(isMade: false) }
    guard isOpen else {
      return [.fail(fault ?? (isUnderLock ? .locked : .unavailable("no vault is open")))]
    }
    work = .planning
    return [.write]
  }

  /// What comes behind the changes is known when they are written or have failed.
  private mutating func proceedToEnd(_ surroundings: Surroundings) -> [Effect] {
    let effects = proceed(surroundings)
    return effects.isEmpty ? end(surroundings) : effects + [.lookAgain]
  }

  /// What is next.
  package mutating func lookAgain(_ surroundings: Surroundings) -> [Effect] {
    if isClosed, !isBusy { return answerRequests(Self.isStopping) + proceedToEnd(surroundings) }
    guard !isBusy, !isOpen, hasRequests else { return schedule(surroundings) + end(surroundings) }
    return isUnderLock ? refuseRequests(surroundings) : open(isMade: waiters.contains(.opening))
  }

  /// - Parameter isEmpty: whether there is nothing to write: the changes count at once, and ``goOn(_:)``
  ///   follows. Else ``wrote(_:)`` does, and then ``goOn(_:)``.
  package mutating func planned(isEmpty: Bool, _ surroundings: Surroundings) {
    guard work == .planning else { return }
    isLast = waiters.contains(.wiping) && surroundings.isQueueEmpty
    work = isEmpty ? .telling : .writing
  }

  /// - Parameter failure: nil: it is on the disk.
  package mutating func wrote(_ failure: VaultFault?) -> [Effect] {
    guard work == .writing else { return [] }
    work = .telling
    guard case .damaged = failure else { return [] }
    (fault, isOpen) = (failure, false)
    return [.abandon]
  }

  /// The outcome of a transaction has been told.
  package mutating func goOn(_ surroundings: Surroundings) -> [Effect] {
    guard work == .telling else { return [] }
    (work, awaitsSessions) = (nil, true)
    return [.follow] + lookAgain(surroundings)
  }

  package mutating func sessionsFollowed(_ surroundings: Surroundings) -> [Effect] {
    guard awaitsSessions else { return [] }
    awaitsSessions = false
    return isClosed ? proceedToEnd(surroundings) : schedule(surroundings) + end(surroundings)
  }

  // MARK: Wiping and leaving

  /// The agent is locked or unlocked.
  package mutating func lock(_ isLocked: Bool) -> [Effect] {
    isUnderLock = isLocked
    return [.note]
  }

  /// Writes the changes that wait, then wipes what is decrypted. A waiter is added.
  package mutating func forget(_ surroundings: Surroundings) -> [Effect] {
    waiters.insert(.wiping)
    return wipe(surroundings)
  }

  /// Writes the changes that wait, then leaves the file to the next daemon.
  package mutating func close(_ surroundings: Surroundings) -> [Effect] {
    isClosed = true
    return [.note] + proceedToEnd(surroundings)
  }

  /// A waiter for the end of the leaving is added.
  package mutating func awaitRelease(_ surroundings: Surroundings) -> [Effect] {
    waiters.insert(.release)
    return end(surroundings)
  }

  private mutating func wipe(_ surroundings: Surroundings) -> [Effect] {
    guard waiters.contains(.wiping), !isBusy else { return [] }
    guard isOpen else { return [.takeLater] + answer(.wiping) + [.lookAgain] }
    // Counts of uses may be missing; what was taken back must not be.
    guard surroundings.isQueueEmpty || (isLast && !surroundings.mustBeWritten) else {
      return schedule(surroundings)
    }
    (isLast, isOpen, work) = (false, false, .wiping)
    (fault, isForgotten) = surroundings.needsPassphrase ? (.locked, false) : (nil, true)
    // Counts of uses go with what they are of.
    return [.fail(Self.wasWiped), .wipe]
  }

  package mutating func wiped() -> [Effect] {
    guard work == .wiping else { return [] }
    work = nil
    // More has come while the file was left.
    return [.takeLater, .note] + answer(.wiping) + [.lookAgain]
  }

  /// Wipes, or leaves the file, where that is due.
  private mutating func end(_ surroundings: Surroundings) -> [Effect] {
    let effects = wipe(surroundings)
    // What has waited for it is looked at before.
    if effects.contains(.takeLater) { return effects }
    guard isClosed, !isBusy, surroundings.isQueueEmpty else { return effects }
    guard isOpen else { return effects + answer(.release) }
    (isOpen, work) = (false, .leaving)
    return effects + [.leave]
  }

  package mutating func left(_ surroundings: Surroundings) -> [Effect] {
    guard work == .leaving else { return [] }
    work = nil
    return end(surroundings)
  }
}
