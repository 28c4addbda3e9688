internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault

/// The permanent credentials of one account in memory, and the vault behind them.
///
/// A change counts only when it is on the disk. One transaction is written at a time, off the loop; the next one has
/// all changes that arrived meanwhile, except a second one for the same origin.
@ReactorActor
final class VaultAccount {
  typealias Change = PermanentCredentials.Change
  typealias Alteration = PermanentCredentials.Alteration

  private struct Request {
    let change: Change
    let then: (Result<Alteration, VaultFault>) -> Void
  }

  /// Changes of one transaction: it takes some milliseconds, in which the others wait.
  private static let changesPerTransaction = 1024

  /// Lent to a session for each of its events.
  var credentials = PermanentCredentials()
  /// Why there is no open vault, when that is not simply because nothing is kept yet.
  private(set) var fault: VaultFault?

  private let uid: UInt32
  let place: VaultPlace?
  private let worker: BlockingPool
  private let counters: Counters
  private let charge: MemoryCharge
  private let report: (VaultStore.Note) -> Void
  private let changed: (Alteration) -> Void
  private var file: VaultFile?
  private var waiting: [Request] = []
  /// Records whose counts of uses are to be written.
  private var used: Set<UInt64> = []
  /// Those who wait until it is open.
  private var opening: [(Result<Void, VaultFault>) -> Void] = []
  private var released: [() -> Void] = []
  private var isBusy = false
  private var isScheduled = false
  private var isClosed = false
  private var wasInUse = false
  /// Whether its contents were wiped, and are read again when they are needed.
  private(set) var isForgotten = false
  /// Whether the agent is locked: nothing is read until it is unlocked.
  var isUnderLock = false
  /// Those who wait until they are read.
  private var reading: [() -> Void] = []
  /// Those who wait until they are wiped.
  private var forgetting: [() -> Void] = []
  private var attempts = PassphraseAttempts()
  private var isTrying = false
  /// Whether an export is sealed, or an import opened.
  var isTransferring = false

  init(
    _ uid: UInt32, at place: VaultPlace?, worker: BlockingPool, counters: Counters, charge: MemoryCharge,
    report: @escaping (VaultStore.Note) -> Void, changed: @escaping (Alteration) -> Void
  ) {
    self.uid = uid
    self.place = place
    self.worker = worker
    self.counters = counters
    self.charge = charge
    self.report = report
    self.changed = changed
  }

  /// Where it is, or would be made.
  var path: String? { place.map { "\($0.path)/\(Vault.fileName)" } }
  var isOpen: Bool { file != nil }

  /// Whether it waits for its passphrase.
  var isLocked: Bool { fault == .locked }

  var description: VaultDescription {
    let state: VaultDescription.State =
      isOpen ? .open : isForgotten ? .forgotten : isLocked ? .locked : fault == nil ? .none : .unavailable
    return VaultDescription(
      state: state, path: path, credentials: credentials.count, openers: file?.vault.openers.map(\.rawValue),
      reason: state == .unavailable ? fault?.text : nil)
  }

  var clocks: CredentialRecord.Clocks {
    CredentialRecord.Clocks(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
  }

  // MARK: Opening

  /// At the daemon's start, when nothing waits for the loop.
  func open() {
    guard let place else { return }
    let result = Result { () throws(VaultFile.Fault) in
      try VaultFile.open(place, of: uid, isMade: false, clocks)
    }
    opened(result, isMade: false)
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

  private func forgetIfIdle() {
    guard !forgetting.isEmpty, !isBusy else { return }
    guard file != nil else { return forgotten() }
    guard waiting.isEmpty, used.isEmpty else { return schedule() }
    (fault, isForgotten) = file?.vault.openers == [.passphrase] ? (.locked, false) : (nil, true)
    credentials = PermanentCredentials()
    charge.follow(credentials.byteCount)
    isBusy = true
    leaveFile { [self] in
      isBusy = false
      forgotten()
      // They came while the file was left.
      if isUnderLock {
        refuseAll()
      } else if !reading.isEmpty || !opening.isEmpty || !waiting.isEmpty {
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
    guard isForgotten, !isClosed, !isUnderLock else { return then() }
    reading.append(then)
    open(isMade: false)
  }

  private func releaseIfIdle() {
    forgetIfIdle()
    guard isClosed, !isBusy, waiting.isEmpty, used.isEmpty else { return }
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

  /// Closing writes to the disk, too. The lock of the directory ends after that.
  private func leaveFile(then: @escaping @ReactorActor () -> Void) {
    guard let left = file else { return then() }
    file = nil
    worker.submit {
      left.vault.close()
    } then: {
      withExtendedLifetime(left) {}
      then()
    }
  }

  private func open(isMade: Bool, passphrase: Secret? = nil) {
    guard let place, !isBusy, !isClosed else { return }
    isBusy = true
    worker.submit { [uid, clocks] in
      Result { () throws(VaultFile.Fault) in
        try VaultFile.open(place, of: uid, isMade: isMade, passphrase: passphrase, clocks)
      }
    } then: { [self] result in
      isBusy = false
      opened(result, isMade: isMade)
      schedule()
      releaseIfIdle()
    }
  }

  private func opened(_ result: Result<VaultFile.Opened?, VaultFile.Fault>, isMade: Bool) {
    isForgotten = false
    switch result {
    case .success(let opened?):
      if !isClosed { file = opened.file }
      (fault, wasInUse) = (nil, false)
      credentials = PermanentCredentials(opened.entries)
      charge.follow(credentials.byteCount)
      let path = opened.file.vault.path
      if opened.isNew { report(.made(path)) }
      if opened.unreadable > 0 { report(.unreadable(opened.unreadable, path)) }
    case .success(nil): (fault, wasInUse) = (nil, false)
    case .failure(let failure):
      (fault, wasInUse) = (failure.fault, failure.isInUse)
      report(isLocked ? .locked(path ?? "") : .unavailable(failure.fault.text))
    }
    // They came while it was only looked for.
    if case .success(nil) = result, !opening.isEmpty, !isMade, !isClosed { return open(isMade: true) }
    let waiters = opening
    opening = []
    for then in waiters {
      then(isOpen ? .success(()) : .failure(fault ?? .unavailable("the daemon is stopping")))
    }
    let readers = reading
    reading = []
    for then in readers { then() }
  }

  // MARK: Keys

  /// Makes a vault with a passphrase, or without one with the credential of systemd or a key file.
  func make(_ passphrase: Secret?, then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    guard !isOpen, fault == nil, !isBusy, !isClosed else {
      return then(.failure(fault ?? .unavailable("there is a vault, or the daemon is stopping")))
    }
    opening.append(then)
    open(isMade: true, passphrase: passphrase)
  }

  /// Opens a locked vault. Each wrong passphrase doubles the time until the next one is tried.
  func unlock(_ passphrase: Secret, then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard isLocked else { return then(.success(())) }
    guard !isTrying, let place else {
      return then(.failure(.unavailable("another passphrase is being tried")))
    }
    isTrying = true
    _ = EventLoop.shared.schedule(after: attempts.delay) { [self, clocks] in
      worker.submit { [uid] in
        Result { () throws(VaultFile.Fault) in
          try VaultFile.open(place, of: uid, isMade: false, passphrase: passphrase, clocks)
        }
      } then: { [self] result in
        isTrying = false
        if case .failure(let failure) = result, failure.fault == .wrongPassphrase {
          attempts.note(isRight: false)
          return then(.failure(.wrongPassphrase))
        }
        attempts.note(isRight: true)
        opened(result, isMade: false)
        if isUnderLock { forget {} }
        then(isOpen ? .success(()) : .failure(fault ?? .unavailable("there is no vault")))
      }
    }
  }

  /// Works on the open vault, behind the transactions that have been begun.
  func run<Answer: Sendable>(
    _ work: @escaping @Sendable (Vault) throws(VaultFault) -> Answer,
    then: @escaping (Result<Answer, VaultFault>) -> Void
  ) {
    guard let file else { return then(.failure(fault ?? .unavailable("there is no vault yet"))) }
    worker.submit {
      Result { () throws(VaultFault) in try work(file.vault) }
    } then: {
      then($0)
    }
  }

  // MARK: Changing

  /// - Parameter then: called when the change is on the disk and counts.
  func submit(_ change: Change, then: @escaping (Result<Alteration, VaultFault>) -> Void) {
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    waiting.append(Request(change: change, then: then))
    schedule()
  }

  /// Writes what the rules of a session have asked for.
  func carryOutRequests() {
    for change in credentials.takeRequests() {
      if isClosed { continue }
      if case .noteUses(let numbers) = change {
        used.formUnion(numbers)
        schedule()
      } else {
        submit(change) { _ in }
      }
    }
  }

  /// Limits are checked on listing as well as on use.
  func forgetExpired() {
    credentials.dropExpired(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
    carryOutRequests()
  }

  private func schedule() {
    guard !isScheduled, !isBusy, !waiting.isEmpty || !used.isEmpty else { return }
    isScheduled = true
    EventLoop.shared.atEndOfTurn { [self] in
      isScheduled = false
      proceed()
    }
  }

  private func proceed() {
    guard !isBusy, !waiting.isEmpty || !used.isEmpty else { return }
    if isForgotten, !isClosed, !isUnderLock { return open(isMade: false) }
    guard let file else {
      let requests = waiting
      (waiting, used) = ([], [])
      for request in requests {
        request.then(.failure(fault ?? (isUnderLock ? .locked : .unavailable("no vault is open"))))
      }
      return
    }
    var planned: [(request: Request, plan: PermanentCredentials.Plan)] = []
    for request in takeBatch() {
      do throws(PermanentCredentials.PlanFault) {
        planned.append((request, try credentials.plan(request.change, now: EventLoop.shared.now)))
      } catch {
        request.then(
          .failure(
            .unavailable(
              "the vault has its \(PermanentCredentials.capacity) credentials; credential/remove makes room"))
        )
      }
    }
    let entries = planned.flatMap { $0.plan.added + $0.plan.updated }
    let removed = planned.flatMap(\.plan.removed)
    guard !entries.isEmpty || !removed.isEmpty else {
      for (request, plan) in planned { request.then(.success(credentials.apply(plan))) }
      if isClosed { proceed() } else { schedule() }
      return
    }
    isBusy = true
    worker.submit { [clocks] in
      Result { () throws(VaultFault) in try file.write(entries, removing: removed, clocks) }
    } then: { [self] result in
      isBusy = false
      settle(planned, result)
      if isClosed { proceed() } else { schedule() }
      releaseIfIdle()
    }
  }

  /// Changes that do not concern the same origin, in their order.
  private func takeBatch() -> [Request] {
    if !used.isEmpty {
      waiting.append(Request(change: .noteUses(used)) { _ in })
      used = []
    }
    var origins = credentials.origins(of: waiting[0].change)
    var count = 1
    while count < min(waiting.count, VaultAccount.changesPerTransaction) {
      let more = credentials.origins(of: waiting[count].change)
      guard origins.isDisjoint(with: more) else { break }
      origins.formUnion(more)
      count += 1
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting[..<count])
  }

  private func settle(
    _ planned: [(request: Request, plan: PermanentCredentials.Plan)], _ result: Result<Void, VaultFault>
  ) {
    switch result {
    case .success:
      counters.vaultWrites += 1
      for (request, plan) in planned {
        let alteration = credentials.apply(plan)
        // The caller hears that it is done before it hears of the change.
        request.then(.success(alteration))
        if !alteration.isSilent { changed(alteration) }
      }
      charge.follow(credentials.byteCount)
    case .failure(let failure):
      counters.vaultWritesFailed += 1
      // Logged once for a transaction; each caller is told as well.
      report(.unavailable(failure.text))
      if case .damaged = failure {
        fault = failure
        leaveFile {}
      }
      for (request, _) in planned { request.then(.failure(failure)) }
    }
  }
}
