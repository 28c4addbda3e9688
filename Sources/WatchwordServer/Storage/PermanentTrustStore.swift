internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The permanent trust decisions of every account, in memory and on disk.
///
/// A change takes effect only when it is on the disk: after "accepted", a caller is not asked again after a crash.
/// The pool runs one write at a time; the next one writes all changes that arrive meanwhile.
@ReactorActor
final class PermanentTrustStore {
  private struct Request {
    let uid: UInt32
    let change: PermanentTrust.Change
    let then: (Result<PermanentTrust.Outcome, StorageFault>) -> Void
  }

  /// A message for a person.
  enum Note {
    /// A file on the disk could not be understood and was put aside.
    case complaint(String)
    case unavailable(String)
  }

  private let place: StatePlace?
  private let counters: Counters
  private let report: (Note) -> Void
  private var directory: StateDirectory?
  private var kept: [UInt32: PermanentTrust] = [:]
  private var waiting: [Request] = []
  /// Accounts whose file holds decisions that no longer apply: to be written now, and again with the next change on
  /// failure.
  private var stale: Set<UInt32> = []
  private var owed: Set<UInt32> = []
  private var isBusy = false
  private var isClosed = false
  /// Whether another daemon held the directory at the last attempt.
  private var wasInUse = false

  init(_ place: StatePlace?, counters: Counters, report: @escaping (Note) -> Void) {
    self.place = place
    self.counters = counters
    self.report = report
  }

  // MARK: Life

  /// Reads the stored decisions before the first peer is served; creates nothing before there is something to store.
  func open() {
    guard let place else { return }
    do throws(StorageFault) {
      if let (directory, contents) = try TrustFiles.open(place, isMade: false) { take(directory, contents) }
    } catch {
      note(error)
    }
  }

  /// Tries again, outside the loop, when another daemon held the directory: the previous daemon needs a moment to
  /// end.
  func openAgain() {
    guard let place, wasInUse, directory == nil, !isBusy, !isClosed else { return }
    isBusy = true
    BlockingPool.shared.submit {
      Result { () throws(StorageFault) in try TrustFiles.open(place, isMade: false) }
    } then: { [self] result in
      isBusy = false
      if case .success(.some((let directory, let contents))) = result { take(directory, contents) }
      proceed()
    }
  }

  /// Leaves the directory to the next daemon; known decisions still apply to tasks that run.
  func close() {
    isClosed = true
    if !isBusy { directory = nil }
  }

  private func take(_ directory: StateDirectory, _ contents: TrustFiles.Contents) {
    if !isClosed { self.directory = directory }
    wasInUse = false
    kept = contents.kept
    for complaint in contents.complaints { report(.complaint(complaint)) }
  }

  private func note(_ fault: StorageFault) {
    switch fault {
    case .inUse: wasInUse = true
    case .noPlace, .loose, .system, .full: break
    }
    report(.unavailable(fault.text))
  }

  // MARK: Queries

  func decisions(of uid: UInt32) -> PermanentTrust { kept[uid] ?? PermanentTrust() }

  /// Applies the decisions of the account to a handshake.
  func consult<Ruling>(_ uid: UInt32, _ body: (inout PermanentTrust) -> Ruling) -> Ruling {
    guard kept[uid] != nil else {
      var none = PermanentTrust()
      return body(&none)
    }
    return body(&kept[uid, default: PermanentTrust()])
  }

  // MARK: Changes

  func record(
    _ decision: TrustDecision, about trust: ServerTrust, for uid: UInt32,
    then: @escaping (Result<PermanentTrust.Recording, StorageFault>) -> Void
  ) {
    let change = PermanentTrust.Change.record(
      decision, about: PermanentTrust.Subject(trust), created: Int64(Clock.wallSeconds()))
    submit(change, for: uid) { result in
      switch result {
      case .success(.recorded(let recording)): then(.success(recording))
      case .success(.full), .success(.removed):
        then(.failure(.full("\(PermanentTrust.capacity) decisions are kept, and trust/remove makes room")))
      case .failure(let fault): then(.failure(fault))
      }
    }
  }

  /// - Parameters:
  /// - number: nil for any number.
  /// - origin: nil for any origin.
  func remove(
    number: UInt64?, origin: Origin?, for uid: UInt32,
    then: @escaping (Result<Int, StorageFault>) -> Void
  ) {
    let isPending = waiting.contains { $0.uid == uid } || isBusy
    guard isPending || decisions(of: uid).holds(number: number, origin: origin) else {
      return then(.success(0))
    }
    submit(.remove(number: number, origin: origin), for: uid) { result in
      switch result {
      case .success(.removed(let count)): then(.success(count))
      case .success(.recorded), .success(.full): then(.success(0))
      case .failure(let fault): then(.failure(fault))
      }
    }
  }

  /// Undoes a recording that did not take effect. Call it at once, before any use of the decision.
  func takeBack(_ recording: PermanentTrust.Recording, for uid: UInt32) {
    guard recording.isNew else { return }
    kept[uid]?.takeBack(recording)
    stale.insert(uid)
    proceed()
  }

  private func submit(
    _ change: PermanentTrust.Change, for uid: UInt32,
    then: @escaping (Result<PermanentTrust.Outcome, StorageFault>) -> Void
  ) {
    waiting.append(Request(uid: uid, change: change, then: then))
    proceed()
  }

  private func proceed() {
    guard !isBusy, !waiting.isEmpty || !stale.isEmpty else { return }
    let requests = waiting
    waiting = []
    guard let place, !isClosed else {
      stale = []
      let fault = place == nil ? StorageFault.noPlace : .inUse("the daemon is stopping")
      for request in requests { request.then(.failure(fault)) }
      return
    }
    let batch = TrustFiles.Batch(
      kept: kept, changes: Dictionary(grouping: requests, by: \.uid).mapValues { $0.map(\.change) },
      stale: stale.union(owed))
    let directory = directory
    stale = []
    owed = []
    isBusy = true
    BlockingPool.shared.submit {
      TrustFiles.carryOut(batch, in: directory, at: place)
    } then: { [self] result in
      settle(requests, result)
      owed = batch.stale.filter { result.faults[$0] != nil }
      if isClosed { self.directory = nil }
      isBusy = false
      proceed()
    }
  }

  private func settle(_ requests: [Request], _ result: TrustFiles.Result) {
    counters.trustWrites += result.written
    directory = result.directory
    if let directory, let contents = result.contents { take(directory, contents) }
    // Logged once for a batch; each caller is told as well.
    if let fault = result.faults.values.first {
      counters.trustWritesFailed += 1
      note(fault)
    }
    for request in requests {
      if let fault = result.faults[request.uid] {
        request.then(.failure(fault))
      } else {
        request.then(.success(kept[request.uid, default: PermanentTrust()].apply(request.change)))
      }
    }
  }
}
