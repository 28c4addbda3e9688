/// The connection of a daemon to its fleet's store: which endpoint is used, what is read, watched and written
/// next, and when it is tried again (storage.md 9.12).
///
/// It knows accounts by their uid and states of the store by their revision. What a credential becomes is
/// decided by ``SynchronizationRule``. Random numbers are from 0 to 1, so that the hosts of a fleet do not
/// act at the same moment.
package struct SynchronizationStateMachine: Sendable {
  package enum Effect: Sendable, Equatable {
    /// End every exchange; their results are not reported.
    case abandon
    /// Get a token for the user, then say `authenticated`.
    case authenticate
    /// Read a page of the account's records and let the vault have them, then say `pageRead`.
    case read(UInt32, isFirst: Bool, records: Int)
    /// Let the vault know that everything was read, then say `finishedReading`.
    case finishReading(UInt32)
    /// Watch the accounts, each from this revision on, instead of what is watched now; say `watchBegan`, and
    /// `advanced` when the vault has stored what was received.
    case watch([UInt32: Int64])
    /// Write the next change of the account, then say `wrote` or `writeFailed`.
    case write(UInt32, WriteAttempt)
    /// Ask for one change of the account from this revision on, then say `probed`.
    case probe(UInt32, from: Int64)
    /// Let what the store did not take be tried again, then say `changed`.
    case release(UInt32)
    /// After so many seconds say `waited`; there is only one such time.
    case wait(Double)
  }

  /// One of several tries to write a change. A change that an earlier one has written is found by its
  /// revision.
  package struct WriteAttempt: Sendable, Equatable {
    /// The place of the endpoint in the configuration.
    package let endpoint: Int
    package let seconds: Double

    package init(endpoint: Int, seconds: Double) {
      self.endpoint = endpoint
      self.seconds = seconds
    }
  }

  private enum Phase: Equatable {
    case idle
    case waiting
    case authenticating
    case reading(UInt32)
    case ready
  }

  private struct Account {
    var hasPending: Bool
    /// Whether everything up to `revision` was taken over.
    var isRead = false
    var revision: Int64 = 0
    /// Its vault could not be written: it has to wait.
    var isSuspended = false
    /// A change that the watch should have shown.
    var missed: Int64?
  }

  static let longestDelay = 60.0
  static let shortestDelay = 0.5
  static let probeSeconds = 15.0
  static let missedSeconds = 5.0
  /// After a write that needed more than one try, the endpoint in use is probed so soon.
  static let doubtSeconds = 1.0
  /// How long each try of a write may take. A member whose leader was lost keeps a write for seven seconds
  /// before it says so, and a new leader is elected in one or two; a store may be slow, too.
  static let writeSeconds = [0.5, 0.5, 1, 2]
  static let watchSeconds = 10.0
  /// Records of a page; fewer are asked for when a page is too large.
  static let pageRecords = 128

  private let endpoints: Int
  private let hasUser: Bool
  /// The place of the endpoint in the configuration.
  package private(set) var endpoint: Int
  private var phase = Phase.idle
  private var accounts: [UInt32: Account] = [:]
  private var isAuthenticated = false
  /// The accounts of the stream; empty: there is none.
  private var watched: Set<UInt32> = []
  private var isWatchOpen = false
  /// Whose change is being written.
  private(set) var writing: UInt32?
  /// How many tries of the write have failed.
  private var attempts = 0
  /// With which time of `writeSeconds` a write begins: higher after writes that took longer.
  private var patience = 0
  private var probed: UInt32?
  private var lastProbed: UInt32?
  private var pageRecords = Self.pageRecords
  private var failures = 0
  package private(set) var lastFault: SynchronizationFault?

  /// - Parameter hasUser: whether it authenticates with a name and a password.
  package init(endpoints: Int, hasUser: Bool, random: Double) {
    self.endpoints = max(1, endpoints)
    self.hasUser = hasUser
    endpoint = min(self.endpoints - 1, Int(random * Double(self.endpoints)))
  }

  package var state: State {
    switch phase {
    case .idle: .idle
    case .waiting: .waiting
    case .authenticating: .connecting
    case .reading: .reading
    case .ready: isWatchOpen ? .watching : .connecting
    }
  }

  /// Whether the store lacks a change that this host could write.
  package var hasPending: Bool { accounts.values.contains { $0.hasPending && !$0.isSuspended } }

  /// The newest revision that was taken over; nil: none was, or the account is not known.
  package func revision(of uid: UInt32) -> Int64? {
    accounts[uid].flatMap { $0.isRead ? $0.revision : nil }
  }

  // MARK: Accounts

  /// The account can be synchronized from now on.
  package mutating func opened(_ uid: UInt32, hasPending: Bool) -> [Effect] {
    accounts[uid] = Account(hasPending: hasPending)
    return proceed()
  }

  /// Nothing may be read or written of it any more.
  package mutating func closed(_ uid: UInt32) -> [Effect] {
    guard accounts.removeValue(forKey: uid) != nil else { return [] }
    if writing == uid { writing = nil }
    if probed == uid { probed = nil }
    guard !accounts.isEmpty else {
      (phase, watched, isWatchOpen, isAuthenticated) = (.idle, [], false, false)
      return [.abandon]
    }
    if phase == .reading(uid) { phase = .ready }
    return proceed()
  }

  /// - Parameter needsReading: whether the store has something of it that was passed over.
  package mutating func changed(_ uid: UInt32, hasPending: Bool, needsReading: Bool) -> [Effect] {
    guard accounts[uid] != nil else { return [] }
    accounts[uid]?.hasPending = hasPending
    if needsReading, phase != .reading(uid) { accounts[uid]?.isRead = false }
    return proceed()
  }

  // MARK: Results

  package mutating func authenticated() -> [Effect] {
    guard phase == .authenticating else { return [] }
    (phase, isAuthenticated) = (.ready, true)
    return proceed()
  }

  /// - Parameter revision: of the store when the first page was read.
  package mutating func pageRead(_ uid: UInt32, revision: Int64, hasMore: Bool) -> [Effect] {
    guard phase == .reading(uid) else { return [] }
    accounts[uid]?.revision = revision
    guard hasMore else { return [.finishReading(uid)] }
    return [.read(uid, isFirst: false, records: pageRecords)]
  }

  /// A page was longer than what is read. A single record that is too large makes the store unusable.
  package mutating func pageTooLarge(_ uid: UInt32, random: Double) -> [Effect] {
    guard phase == .reading(uid) else { return [] }
    guard pageRecords > 1 else {
      pageRecords = Self.pageRecords
      return failed(.tooLarge, random: random)
    }
    pageRecords /= 2
    return [.read(uid, isFirst: false, records: pageRecords)]
  }

  package mutating func finishedReading(_ uid: UInt32, hasPending: Bool) -> [Effect] {
    guard phase == .reading(uid) else { return [] }
    accounts[uid]?.isRead = true
    accounts[uid]?.missed = nil
    accounts[uid]?.hasPending = hasPending
    // It is watched from another revision now.
    watched.remove(uid)
    (phase, pageRecords) = (.ready, Self.pageRecords)
    return proceed()
  }

  /// - Parameter revision: of the member that watches. One that is older than what was read: the store went
  ///   back.
  package mutating func watchBegan(revision: Int64, random: Double) -> [Effect] {
    guard phase == .ready, !watched.isEmpty, !isWatchOpen else { return [] }
    isWatchOpen = true
    lastFault = nil
    noteRevision(revision)
    return [pause(random)] + proceed()
  }

  /// The vault has stored everything up to this revision.
  package mutating func advanced(_ uid: UInt32, revision: Int64) -> [Effect] {
    guard let account = accounts[uid], account.isRead, revision > account.revision else { return [] }
    accounts[uid]?.revision = revision
    if let missed = account.missed, missed <= revision { accounts[uid]?.missed = nil }
    return []
  }

  /// The store does not have the changes since the revision watched any more.
  package mutating func lostHistory() -> [Effect] {
    for uid in accounts.keys { accounts[uid]?.isRead = false }
    (watched, isWatchOpen) = ([], false)
    if case .reading = phase { phase = .ready }
    return proceed()
  }

  /// Written, or reconciled with what another host has written, or not taken by the store.
  package mutating func wrote(_ uid: UInt32, hasPending: Bool) -> [Effect] {
    guard writing == uid else { return [] }
    writing = nil
    accounts[uid]?.hasPending = hasPending
    if attempts == 0 { patience = max(0, patience - 1) }
    // Where another try was needed, the endpoint in use may be silent.
    let isInDoubt = attempts > 0
    let effects = proceed()
    return effects + (isInDoubt && isWatchOpen && probed == nil ? [.wait(Self.doubtSeconds)] : [])
  }

  /// A try of the write has failed. After a time limit, and after any fault of another endpoint than the one
  /// in use, the next endpoint is tried: the stream of changes goes on meanwhile.
  package mutating func writeFailed(
    _ uid: UInt32, _ fault: SynchronizationFault, random: Double
  ) -> [Effect] {
    guard writing == uid else { return [] }
    let mayGoOn = fault == .timedOut || attempt.endpoint != endpoint
    guard mayGoOn, patience + 1 < Self.writeSeconds.count else { return failed(fault, random: random) }
    attempts += 1
    patience += 1
    return [.write(uid, attempt)]
  }

  /// - Parameters:
  ///   - missed: the revision of a change; nil: there was none.
  ///   - revision: of the store.
  package mutating func probed(_ uid: UInt32, missed: Int64?, revision: Int64) -> [Effect] {
    guard probed == uid else { return [] }
    probed = nil
    failures = 0
    if let account = accounts[uid], let missed, missed > account.revision {
      accounts[uid]?.missed = missed
      return [.wait(Self.missedSeconds)]
    }
    noteRevision(revision)
    return proceed() + [.release(uid)]
  }

  /// The account's vault could not be written.
  package mutating func suspend(_ uid: UInt32, _ fault: SynchronizationFault, random: Double) -> [Effect] {
    guard accounts[uid] != nil else { return [] }
    lastFault = fault
    accounts[uid]?.isSuspended = true
    accounts[uid]?.isRead = false
    // The others are watched without it.
    watched = []
    if writing == uid { writing = nil }
    if phase == .reading(uid) { phase = .ready }
    return proceed() + [pause(random)]
  }

  /// Something was seen that is not used; the connection goes on.
  package mutating func note(_ fault: SynchronizationFault) { lastFault = fault }

  /// An exchange has failed: the next endpoint is tried.
  package mutating func failed(_ fault: SynchronizationFault, random: Double) -> [Effect] {
    guard phase != .idle, phase != .waiting else { return [] }
    lastFault = fault
    failures += 1
    endpoint = (endpoint + 1) % endpoints
    // What ends a token is an error like others.
    (phase, isAuthenticated) = (.waiting, false)
    (watched, isWatchOpen, writing, probed) = ([], false, nil, nil)
    let delay = min(Self.longestDelay, Self.shortestDelay * Double(1 << min(failures - 1, 16)))
    return [.abandon, .wait(delay * (0.1 + 0.9 * random))]
  }

  package mutating func waited(random: Double) -> [Effect] {
    if phase == .waiting { phase = .ready }
    for uid in accounts.keys { accounts[uid]?.isSuspended = false }
    guard phase == .ready else { return [] }
    if !watched.isEmpty, !isWatchOpen { return failed(.timedOut, random: random) }
    let isWatched = isWatchOpen && probed == nil
    if let uid = accounts.first(where: { $0.value.missed != nil })?.key {
      accounts[uid]?.isRead = false
      lastFault = .silent
    }
    var effects = proceed()
    if isWatched, phase == .ready, isWatchOpen, let next = nextProbed, let account = accounts[next] {
      (probed, lastProbed) = (next, next)
      effects += [.probe(next, from: account.revision + 1), pause(random)]
    }
    return effects
  }

  // MARK: Steps

  private mutating func proceed() -> [Effect] {
    guard !accounts.isEmpty, phase == .idle || phase == .ready else { return [] }
    phase = .ready
    if hasUser, !isAuthenticated {
      phase = .authenticating
      return [.authenticate]
    }
    let active = accounts.filter { !$0.value.isSuspended }
    // One that is being written is read after that.
    if let uid = active.filter({ !$0.value.isRead && $0.key != writing }).keys.min() {
      phase = .reading(uid)
      return [.read(uid, isFirst: true, records: pageRecords)]
    }
    var effects: [Effect] = []
    let readable = active.filter(\.value.isRead)
    if watched != Set(readable.keys), !readable.isEmpty {
      (watched, isWatchOpen, probed) = (Set(readable.keys), false, nil)
      effects = [.watch(readable.mapValues { $0.revision + 1 }), .wait(Self.watchSeconds)]
    }
    if writing == nil, let uid = readable.filter(\.value.hasPending).keys.min() {
      (writing, attempts) = (uid, 0)
      effects.append(.write(uid, attempt))
    }
    return effects
  }

  /// A store that is behind what was read was replaced or restored.
  private mutating func noteRevision(_ revision: Int64) {
    for (uid, account) in accounts where account.isRead && account.revision > revision {
      accounts[uid]?.isRead = false
    }
  }

  private var attempt: WriteAttempt {
    WriteAttempt(endpoint: (endpoint + attempts) % endpoints, seconds: Self.writeSeconds[patience])
  }

  /// Accounts take turns.
  private var nextProbed: UInt32? {
    let known = watched.sorted()
    return known.first { $0 > lastProbed ?? 0 } ?? known.first
  }

  private func pause(_ random: Double) -> Effect { .wait(Self.probeSeconds * (0.75 + random / 2)) }
}
