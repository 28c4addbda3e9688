internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// The permanent credentials of one account in memory, and the vault behind them.
///
/// A change counts only when it is on the disk. ``VaultLifecycle`` says when what is done,
/// ``VaultTransaction`` what is written together; this holds the contents and the changes that wait, and does
/// it.
@ReactorActor
final class VaultAccount {
  typealias Change = PermanentCredentials.Change
  typealias Alteration = PermanentCredentials.Alteration

  /// Lent to a session for each of its events.
  var holdings = VaultHoldings()
  /// By the ids of the identities.
  var identityKeys: [String: ClientIdentity] = [:]
  /// Records of the open vault that did not open.
  var unreadable = 0

  let uid: UInt32
  let place: VaultPlace?
  let worker: BlockingPool
  /// The daemon, which lives as long as the process.
  unowned let environment: any VaultEnvironment
  let charge: MemoryCharge
  var file: VaultFile?
  var lifecycle = VaultLifecycle()
  var waiters: [VaultLifecycle.Waiter: [(VaultFault?) -> Void]] = [:]
  /// What a look for the vault has found, until it is held.
  var found: VaultFile.Opened?
  /// Until the vault is made with it.
  var passphrase: Secret?
  /// The changes that wait, and who waits for them.
  var queue = VaultQueue()
  var replies = VaultReplies()
  var attempts = PassphraseAttempts()
  var isTrying = false
  /// Whether an export is sealed, or an import opened.
  var isTransferring = false

  init(
    _ uid: UInt32, at place: VaultPlace?, worker: BlockingPool, _ environment: any VaultEnvironment
  ) {
    self.uid = uid
    self.place = place
    self.worker = worker
    self.environment = environment
    charge = MemoryCharge(environment.budget, uid: uid)
  }

  var credentials: PermanentCredentials {
    _read { yield holdings.credentials }
    _modify { yield &holdings.credentials }
  }

  /// Changed as a copy: the rest is lent while a session counts a use.
  var trust: PermanentTrust {
    get { holdings.trust }
    set { holdings.trust = newValue }
  }

  var identities: PermanentIdentities {
    _read { yield holdings.identities }
    _modify { yield &holdings.identities }
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
    set { feed { (lifecycle, _) in lifecycle.lock(newValue) } }
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

  // MARK: Events

  /// At the daemon's start, when nothing waits for the loop.
  ///
  /// - Parameter derived: what the previous daemon has made of the passphrase.
  func open(with derived: DerivedKey?) {
    guard let place else { return }
    let outcome = VaultFile.openAtStart(place, of: uid, derived, clocks)
    feed(outcome) { $0.started($1, $2) }
  }

  /// Tries again when another daemon held it: that one needs a moment to end.
  func openAgain() {
    feed { (lifecycle, _) in lifecycle.openAgain() }
  }

  /// Opens or makes the vault; at once when it is open.
  func prepare(then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard isOpen || place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    wait(.opening, lifecycle.prepare(), then: then)
  }

  /// Makes a vault with a passphrase, or without one with the credential of systemd, the Secret Service or a
  /// key file.
  func make(_ passphrase: Secret?) async -> Result<Void, VaultFault> {
    guard place != nil else { return .failure(.unavailable(StorageFault.noPlace.text)) }
    let preparation = lifecycle.make()
    if case .waits = preparation { self.passphrase = passphrase }
    return await completion { wait(.opening, preparation, then: $0) }
  }

  /// Reads again what `forget` has wiped; `then` is called at once when there is no such thing.
  func read(then: @escaping () -> Void) {
    wait(.reading, lifecycle.read(at: EventLoop.shared.now)) { _ in then() }
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
    feed { $0.close($1) }
  }

  /// Returns when the file is left, at once if it is.
  func released() async {
    await completion { end in
      waiters[.release, default: []].append { _ in end() }
      feed { $0.awaitRelease($1) }
    }
  }

  /// Returns when what is decrypted is wiped. Changes that have come before are written first.
  func forget() async {
    await completion { end in
      waiters[.wiping, default: []].append { _ in end() }
      feed { $0.forget($1) }
    }
  }
}
