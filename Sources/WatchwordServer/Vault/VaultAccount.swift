internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// The permanent credentials of one account in memory, and the vault behind them.
///
/// A change counts only when it is on the disk. ``VaultLifecycle`` says when what is done; this holds the
/// contents and the changes that wait, and does it.
@ReactorActor
final class VaultAccount {
  typealias Change = PermanentCredentials.Change
  typealias Alteration = PermanentCredentials.Alteration

  /// Lent to a session for each of its events.
  var credentials = PermanentCredentials()
  /// The permanent trust decisions, and those that the vault has: they differ only while one is taken back.
  var trust = PermanentTrust()
  var storedTrust = PermanentTrust()
  /// The permanent client identities, lent like the credentials, those that the vault has, and their keys by
  /// their ids.
  var identities = PermanentIdentities()
  var storedIdentities = PermanentIdentities()
  var identityKeys: [String: ClientIdentity] = [:]
  /// Records of the open vault that did not open.
  private var unreadable = 0

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
  private(set) var file: VaultFile?
  var lifecycle = VaultLifecycle()
  private var waiters: [VaultLifecycle.Waiter: [(VaultFault?) -> Void]] = [:]
  /// What a look for the vault has found, until it is held.
  private var found: VaultFile.Opened?
  /// Until the vault is made with it.
  private var passphrase: Secret?
  var queue = VaultQueue()
  /// Changes that come while its contents are to be wiped, and are for the time after that.
  private var later = VaultQueue()
  /// Runs while requests wait for another daemon to leave the vault.
  private var retrial: LoopTimer?
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
  var isOpen: Bool { lifecycle.isOpen }
  var isBusy: Bool { lifecycle.isBusy }
  var isClosed: Bool { lifecycle.isClosed }
  var isLocked: Bool { lifecycle.isLocked }
  var isWithoutKey: Bool { lifecycle.isWithoutKey }
  var fault: VaultFault? { lifecycle.fault }
  var isToBeRead: Bool { lifecycle.isToBeRead(at: EventLoop.shared.now) }

  /// Whether the agent is locked.
  var isUnderLock: Bool {
    get { lifecycle.isUnderLock }
    set { take { (lifecycle, _) in lifecycle.lock(newValue) } }
  }

  /// Whether credentials of the fleet can be kept: there is an open vault, or none yet, and nothing forbids
  /// to make one.
  var isSynchronizable: Bool {
    guard !isUnderLock, !isClosed else { return false }
    return isOpen || (place != nil && lifecycle.state == .none)
  }

  /// As `status` shows it.
  var description: Sent.VaultStatus {
    let openers = file?.vault.openers.map(\.rawValue)
    return Sent.VaultStatus(
      path: path, state: lifecycle.state.rawValue, credentials: credentials.count, trust: trust.count,
      identities: identities.count, unreadable: isOpen ? unreadable : 0, opensWith: openers?.first,
      openers: openers ?? [],
      reason: lifecycle.state == .unavailable || isWithoutKey ? fault?.text : nil)
  }

  var clocks: CredentialRecord.Clocks {
    CredentialRecord.Clocks(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
  }

  var byteCount: Int { credentials.byteCount + trust.byteCount + identities.byteCount }
  var heldBytes: Int { byteCount + credentials.count * HeldBytes.credential }

  // MARK: Events

  /// At the daemon's start, when nothing waits for the loop.
  ///
  /// - Parameter derived: what the previous daemon has made of the passphrase.
  func open(with derived: DerivedKey?) {
    guard let place else { return }
    let outcome = VaultFile.openAtStart(place, of: uid, derived, clocks)
    let opening = note(outcome)
    take { $0.started(opening, $1) }
  }

  /// Tries again when another daemon held it: that one needs a moment to end.
  func openAgain() {
    take { (lifecycle, _) in lifecycle.openAgain() }
  }

  /// Opens or makes the vault; at once when it is open.
  func prepare(then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard isOpen || place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    wait(.opening, lifecycle.prepare(), then: then)
  }

  /// Makes a vault with a passphrase, or without one with the credential of systemd, the Secret Service or a
  /// key file.
  func make(_ passphrase: Secret?, then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    let preparation = lifecycle.make()
    if case .waits = preparation { self.passphrase = passphrase }
    wait(.opening, preparation, then: then)
  }

  /// Reads again what `forget` has wiped; `then` is called at once when there is no such thing.
  func read(then: @escaping () -> Void) {
    wait(.reading, lifecycle.read(at: EventLoop.shared.now)) { _ in then() }
  }

  /// The caller says that the user has unlocked the keyring: the Secret Service is asked at once.
  func askForKeyAgain(then: @escaping () -> Void) {
    lifecycle.trySoon()
    read(then: then)
  }

  private func wait(
    _ waiter: VaultLifecycle.Waiter, _ preparation: VaultLifecycle.Preparation,
    then: @escaping (Result<Void, VaultFault>) -> Void
  ) {
    switch preparation {
    case .ready: then(.success(()))
    case .refused(let fault): then(.failure(fault))
    case .waits(let effects):
      waiters[waiter, default: []].append { fault in then(fault.map { .failure($0) } ?? .success(())) }
      perform(effects)
    }
  }

  /// Leaves the file to the next daemon when what has come so far is written.
  func close() {
    take { $0.close($1) }
  }

  /// - Parameter then: called when the file is left, at once if it is.
  func whenReleased(_ then: @escaping () -> Void) {
    waiters[.release, default: []].append { _ in then() }
    take { $0.awaitRelease($1) }
  }

  /// Wipes what is decrypted, when what has come so far is written.
  ///
  /// - Parameter then: called after that.
  func forget(then: @escaping () -> Void) {
    waiters[.wiping, default: []].append { _ in then() }
    take { $0.forget($1) }
  }

  /// Takes a change in: it does not put off the wiping that was asked for before.
  func enqueue(_ add: (inout VaultQueue) -> Void) {
    if lifecycle.putsChangesOff { add(&later) } else { add(&queue) }
    schedule()
  }

  func schedule() {
    take { $0.schedule($1) }
  }

  // MARK: Effects

  func take(
    _ event: (inout VaultLifecycle, VaultLifecycle.Surroundings) -> [VaultLifecycle.Effect]
  ) {
    perform(event(&lifecycle, surroundings))
  }

  var surroundings: VaultLifecycle.Surroundings {
    VaultLifecycle.Surroundings(
      now: EventLoop.shared.now, isQueueEmpty: queue.isEmpty, mustBeWritten: queue.mustBeWritten,
      needsPassphrase: file?.vault.openers == [.passphrase])
  }

  private func perform(_ effects: [VaultLifecycle.Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: VaultLifecycle.Effect) {
    switch effect {
    case .open(let isMade): look(isMade: isMade)
    case .hold(let keepsFile): hold(found.take(), keepsFile: keepsFile)
    case .drop: hold(nil)
    case .schedule: EventLoop.shared.atEndOfTurn { [self] in take { $0.turnEnded($1) } }
    case .write: write()
    case .fail(let fault): queue.failAll(fault)
    case .lookAgain: take { $0.lookAgain($1) }
    case .follow: followed { [self] in take { $0.sessionsFollowed($1) } }
    case .wipe:
      // Counts of uses go with what they are of.
      queue.failAll(.unavailable("the vault was wiped"))
      leaveFile(freeing: takeContents()) { [self] in take { (lifecycle, _) in lifecycle.wiped() } }
    case .takeLater:
      queue.append(later)
      later = VaultQueue()
    case .leave: leaveFile { [self] in take { $0.left($1) } }
    case .abandon: leaveFile {}
    case .retry(let seconds):
      retrial = EventLoop.shared.schedule(after: seconds) { [weak self] in
        self?.retrial = nil
        self?.take { $0.retried($1) }
      }
    case .answer(let waiter, let fault):
      for then in waiters.removeValue(forKey: waiter) ?? [] { then(fault) }
    case .report(let fault): report(isLocked ? .locked(path ?? "") : .unavailable(fault.text))
    case .note: noted()
    }
  }

  private func look(isMade: Bool) {
    guard let place else { return }
    let passphrase = passphrase.take()
    worker.submit { [uid, clocks] in
      VaultFile.open(place, of: uid, isMade: isMade, passphrase: passphrase, clocks)
    } then: { [self] outcome in
      let opening = note(outcome)
      take { $0.opened(opening, isMade: isMade, mayWait: passphrase == nil, $1) }
    }
  }

  /// What the outcome is to the lifecycle; what was found is kept until it is held.
  func note(_ outcome: VaultFile.Outcome) -> VaultLifecycle.Opening {
    switch outcome {
    case .success(let opened?):
      found = opened
      return .found
    case .success(nil): return .nothing
    case .failure(let failure): return .failed(failure.fault, isInUse: failure.isInUse)
    }
  }

  private func hold(_ opened: VaultFile.Opened?, keepsFile: Bool) {
    if keepsFile { file = opened?.file }
    hold(opened?.contents)
    guard let opened else { return }
    decrypted()
    let path = opened.file.vault.path
    if opened.isNew { report(.made(path, refusal: opened.file.vault.refusal?.text)) }
    if opened.contents.unreadable > 0 { report(.unreadable(opened.contents.unreadable, path)) }
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

  /// What was in memory: thousands of secrets, which a thread frees.
  private struct Wiped: Sendable {
    let credentials: PermanentCredentials
    let trust: [PermanentTrust]
    let identities: [PermanentIdentities]
    let keys: [String: ClientIdentity]
  }

  private func takeContents() -> Wiped {
    let wiped = Wiped(
      credentials: credentials, trust: [trust, storedTrust], identities: [identities, storedIdentities],
      keys: identityKeys)
    hold(nil)
    return wiped
  }

  /// Closing writes to the disk, too. The lock of the directory ends after that.
  private func leaveFile(freeing wiped: consuming Wiped? = nil, then: @escaping @ReactorActor () -> Void) {
    // Their last references end on the thread: whatever follows finds the directory unlocked, and nothing in
    // memory.
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
}
