internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordTransport
internal import WatchwordVault

/// The permanent credentials of one account in memory, and the vault behind them.
///
/// A change counts only when it is on the disk. One transaction is written at a time, off the loop; the next one has
/// all changes that arrived meanwhile, except a second one for the same origin.
@ReactorActor
final class VaultAccount {
  typealias Change = PermanentCredentials.Change
  typealias Alteration = PermanentCredentials.Alteration

  /// Lent to a session for each of its events.
  var credentials = PermanentCredentials()
  /// The permanent trust decisions, and those that the vault has: they differ only while one is taken back.
  var trust = PermanentTrust()
  var storedTrust = PermanentTrust()
  /// The permanent client identities, lent like the credentials, those that the vault has, and their keys by their ids.
  var identities = PermanentIdentities()
  var storedIdentities = PermanentIdentities()
  var identityKeys: [String: ClientIdentity] = [:]
  /// Records of the open vault that did not open.
  private var unreadable = 0
  /// Why there is no open vault, when that is not simply because nothing is kept yet.
  var fault: VaultFault?

  let uid: UInt32
  let place: VaultPlace?
  let worker: BlockingPool
  let counters: Counters
  let charge: MemoryCharge
  let report: (VaultStore.Note) -> Void
  let changed: (Alteration) -> Void
  /// Calls its argument when all sessions have followed what has changed.
  let followed: (@escaping @ReactorActor () -> Void) -> Void
  /// Called when permanent identities have come or gone.
  let identitiesChanged: ([PermanentIdentityChange]) -> Void
  /// Called when the vault was opened, left or written: synchronization may have something to do.
  var noted: () -> Void = {}
  /// Called when the contents have come into memory.
  let decrypted: () -> Void
  var file: VaultFile?
  var queue = VaultQueue()
  /// Changes that come while its contents are to be wiped, and are for the time after that.
  private var later = VaultQueue()
  /// Whether the last transaction before the wiping has begun.
  private var isLast = false
  /// Called when it is open.
  var opening: [(Result<Void, VaultFault>) -> Void] = []
  private var released: [() -> Void] = []
  var isBusy = false
  var isScheduled = false
  /// Whether the next transaction waits until all sessions have followed the last one: changes do not pile up.
  var awaitsSessions = false
  var isClosed = false
  private var wasInUse = false
  /// Runs while requests wait for another daemon to leave the vault.
  private var retrial: LoopTimer?
  /// When a vault that could not be opened is tried again, and how long after that.
  private var isTriedAgain = 0.0
  private var delay = GrowingDelay(first: 1, longest: 60)
  /// How often more a request waits for another daemon to leave it: one that was killed needs a moment to end.
  private var patience = VaultAccount.longestPatience
  /// Whether its contents were wiped, and are read again when they are needed.
  private(set) var isForgotten = false
  /// Whether the agent is locked: nothing is read until it is unlocked.
  var isUnderLock = false {
    didSet { noted() }
  }
  /// Called when they are read.
  private var reading: [() -> Void] = []
  /// Called when they are wiped.
  private var forgetting: [() -> Void] = []
  var attempts = PassphraseAttempts()
  var isTrying = false
  /// Whether an export is sealed, or an import opened.
  var isTransferring = false

  init(
    _ uid: UInt32, at place: VaultPlace?, worker: BlockingPool, counters: Counters, charge: MemoryCharge,
    report: @escaping (VaultStore.Note) -> Void, changed: @escaping (Alteration) -> Void,
    followed: @escaping (@escaping @ReactorActor () -> Void) -> Void,
    identitiesChanged: @escaping ([PermanentIdentityChange]) -> Void, decrypted: @escaping () -> Void
  ) {
    self.identitiesChanged = identitiesChanged
    self.uid = uid
    self.place = place
    self.worker = worker
    self.counters = counters
    self.charge = charge
    self.report = report
    self.changed = changed
    self.followed = followed
    self.decrypted = decrypted
  }

  /// Where it is, or would be made.
  var path: String? { place.map { "\($0.path)/\(Vault.fileName)" } }
  var isOpen: Bool { file != nil }

  /// Whether credentials of the fleet can be kept: there is an open vault, or none yet, and nothing forbids to make one.
  var isSynchronizable: Bool {
    guard !isUnderLock, !isClosed else { return false }
    return isOpen || (place != nil && fault == nil && !isForgotten)
  }

  /// Whether it waits for its passphrase.
  var isLocked: Bool { fault == .locked }

  /// Twice a second and a half, together.
  private static let longestPatience = 75
  private static let patienceSeconds = 0.02

  /// Whether its contents are read before the next use: they were wiped, or what kept it from being opened may be gone.
  var isToBeRead: Bool {
    isForgotten || (file == nil && mayBeTriedAgain && EventLoop.shared.now >= isTriedAgain)
  }

  private var mayBeTriedAgain: Bool {
    switch fault {
    case .damaged, .unavailable, .keyring: true
    case .postponed, .locked, .wrongPassphrase, .alreadyMade, nil: false
    }
  }

  /// Whether the Secret Service has not given the key.
  var isWithoutKey: Bool {
    if case .keyring = fault { true } else { false }
  }

  /// The caller says that the user has unlocked the keyring: the Secret Service is asked at once.
  func askForKeyAgain(then: @escaping () -> Void) {
    isTriedAgain = 0
    delay.reset()
    read(then: then)
  }

  var description: VaultDescription {
    let state: VaultDescription.State =
      if isOpen { .open } else if isForgotten { .forgotten } else {
        switch fault {
        case .locked, .keyring(_, isLocked: true): .locked
        case nil: .none
        case .damaged, .unavailable, .keyring, .postponed, .wrongPassphrase, .alreadyMade: .unavailable
        }
      }
    return VaultDescription(
      state: state, path: path, credentials: credentials.count, trust: trust.count,
      identities: identities.count, unreadable: isOpen ? unreadable : 0,
      openers: file?.vault.openers.map(\.rawValue),
      reason: state == .unavailable || isWithoutKey ? fault?.text : nil)
  }

  var clocks: CredentialRecord.Clocks {
    CredentialRecord.Clocks(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
  }

  // MARK: Opening

  /// At the daemon's start, when nothing waits for the loop.
  func open() {
    guard let place else { return }
    opened(VaultFile.open(place, of: uid, isMade: false, isOnLoop: true, clocks), isMade: false)
    // The first request tries again at once: what kept it from being opened may have been the daemon before.
    isTriedAgain = 0
    // With a key of the Secret Service, which takes its time.
    if isForgotten { open(isMade: false) }
  }

  /// Tries again when another daemon held it: that one needs a moment to end.
  func openAgain() {
    if wasInUse, file == nil, !isUnderLock { open(isMade: false) }
  }

  /// Opens or makes the vault; at once when it is open.
  func prepare(then: @escaping (Result<Void, VaultFault>) -> Void) {
    if isOpen, !isClosed { return then(.success(())) }
    guard place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    guard !isLocked, !isUnderLock else { return then(.failure(.locked)) }
    opening.append(then)
    open(isMade: true)
  }

  /// Leaves the file to the next daemon when what has come so far is written.
  func close() {
    isClosed = true
    noted()
    proceed()
    releaseIfIdle()
  }

  /// - Parameter then: called when the file is left, at once if it is.
  func whenReleased(_ then: @escaping () -> Void) {
    released.append(then)
    releaseIfIdle()
  }

  /// Wipes what is decrypted, when what has come so far is written.
  ///
  /// - Parameter then: called after that.
  func forget(then: @escaping () -> Void) {
    forgetting.append(then)
    forgetIfIdle()
  }

  /// Takes a change in: it does not put off the wiping that was asked for before.
  func enqueue(_ add: (inout VaultQueue) -> Void) {
    if forgetting.isEmpty || file == nil { add(&queue) } else { add(&later) }
    schedule()
  }

  /// Another transaction begins.
  func noteTransaction() { isLast = !forgetting.isEmpty && queue.isEmpty }

  private func forgetIfIdle() {
    guard !forgetting.isEmpty, !isBusy else { return }
    guard file != nil else { return forgotten() }
    // Counts of uses may be missing; what was taken back must not be.
    guard queue.isEmpty || (isLast && !queue.mustBeWritten) else { return schedule() }
    isLast = false
    (fault, isForgotten) = file?.vault.openers == [.passphrase] ? (.locked, false) : (nil, true)
    let wiped = Wiped(
      credentials: credentials, trust: [trust, storedTrust], identities: [identities, storedIdentities],
      keys: identityKeys)
    hold(nil)
    isBusy = true
    leaveFile(freeing: wiped) { [self] in
      isBusy = false
      (queue, later) = (later, VaultQueue())
      noted()
      forgotten()
      // They came while the file was left.
      if isClosed {
        proceed()
      } else if isUnderLock {
        refuseAll()
      } else if !reading.isEmpty || !opening.isEmpty || !queue.isEmpty {
        open(isMade: !opening.isEmpty)
      }
      releaseIfIdle()
    }
  }

  private func refuseAll() {
    let openers = opening
    opening = []
    for then in openers { then(.failure(.locked)) }
    let readers = reading
    reading = []
    for then in readers { then() }
    proceed()
  }

  private func forgotten() {
    let waiters = forgetting
    forgetting = []
    for then in waiters { then() }
  }

  /// Reads again what `forget` has wiped; `then` is called at once when there is no such thing.
  func read(then: @escaping () -> Void) {
    guard isToBeRead, !isClosed, !isUnderLock else { return then() }
    reading.append(then)
    open(isMade: false)
  }

  func releaseIfIdle() {
    forgetIfIdle()
    guard isClosed, !isBusy, queue.isEmpty else { return }
    if file != nil {
      isBusy = true
      return leaveFile { [self] in
        isBusy = false
        releaseIfIdle()
      }
    }
    let waiters = released
    released = []
    for then in waiters { then() }
  }

  /// What was in memory: thousands of secrets, which a thread frees.
  struct Wiped: Sendable {
    let credentials: PermanentCredentials
    let trust: [PermanentTrust]
    let identities: [PermanentIdentities]
    let keys: [String: ClientIdentity]
  }

  /// Closing writes to the disk, too. The lock of the directory ends after that.
  func leaveFile(freeing wiped: consuming Wiped? = nil, then: @escaping @ReactorActor () -> Void) {
    guard file != nil else { return then() }
    // Their last references end on the thread: whatever follows finds the directory unlocked, and nothing in memory.
    let last = Locked<(file: VaultFile?, wiped: Wiped?)>((file.take(), wiped))
    worker.submit {
      last.withLock { last in
        last.file?.vault.close()
        last = (nil, nil)
      }
    } then: {
      then()
    }
  }

  func open(isMade: Bool, passphrase: Secret? = nil) {
    guard let place, !isBusy, !isClosed else { return }
    isBusy = true
    let hasPassphrase = passphrase != nil
    worker.submit { [uid, clocks] in
      VaultFile.open(place, of: uid, isMade: isMade, passphrase: passphrase, clocks)
    } then: { [self] outcome in
      isBusy = false
      // A vault that is to be made with a passphrase is not made without it later.
      opened(outcome, isMade: isMade, mayWait: !hasPassphrase)
      schedule()
      releaseIfIdle()
    }
  }

  /// Tries again in a moment; who waits goes on waiting.
  private func waitForOther() {
    retrial = EventLoop.shared.schedule(after: VaultAccount.patienceSeconds) { [weak self] in
      guard let self else { return }
      retrial = nil
      if isClosed || isUnderLock { return refuseAll() }
      if file == nil { open(isMade: !opening.isEmpty) }
    }
  }

  /// Takes what a vault has into memory; nil: nothing.
  private func hold(_ contents: VaultContents?) {
    credentials = PermanentCredentials(contents?.credentials ?? [])
    trust = contents?.trust ?? PermanentTrust()
    storedTrust = trust
    identities = PermanentIdentities(contents?.identities ?? [])
    storedIdentities = identities
    identityKeys = contents?.keys ?? [:]
    unreadable = contents?.unreadable ?? 0
    charge.follow(heldBytes)
  }

  var byteCount: Int { credentials.byteCount + trust.byteCount + identities.byteCount }
  var heldBytes: Int { byteCount + credentials.count * HeldBytes.credential }

  /// - Parameter mayWait: whether requests wait for another daemon to leave the vault.
  func opened(_ outcome: VaultFile.Outcome, isMade: Bool, mayWait: Bool = false) {
    isForgotten = false
    let before = fault
    switch outcome {
    case .success(let opened?):
      if !isClosed { file = opened.file }
      (fault, wasInUse, patience) = (nil, false, VaultAccount.longestPatience)
      hold(opened.contents)
      decrypted()
      let path = opened.file.vault.path
      delay.reset()
      if opened.isNew { report(.made(path, refusal: opened.file.vault.refusal?.text)) }
      if opened.contents.unreadable > 0 { report(.unreadable(opened.contents.unreadable, path)) }
    case .success(nil):
      (fault, wasInUse) = (nil, false)
      // It may have been removed.
      hold(nil)
    case .failure(let failure):
      (fault, wasInUse) = (failure.fault, failure.isInUse)
      if failure.fault == .postponed {
        (fault, isForgotten) = (nil, true)
      } else if isLocked {
        report(.locked(path ?? ""))
      } else {
        if fault != before { report(.unavailable(failure.fault.text)) }
        if mayWait, wasInUse, patience > 0, !(reading.isEmpty && opening.isEmpty), !isClosed, !isUnderLock {
          patience -= 1
          return waitForOther()
        }
        if mayBeTriedAgain { isTriedAgain = EventLoop.shared.now + delay.next() }
      }
    }
    // They came while it was only looked for.
    if case .success(nil) = outcome, !opening.isEmpty, !isMade, !isClosed { return open(isMade: true) }
    let waiters = opening
    opening = []
    for then in waiters {
      then(isOpen ? .success(()) : .failure(fault ?? .unavailable("the daemon is stopping")))
    }
    let readers = reading
    reading = []
    for then in readers { then() }
    noted()
  }
}
