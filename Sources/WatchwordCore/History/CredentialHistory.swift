package import WatchwordVocabulary

/// The last things that became of an account's credentials, newest last; a ring of a fixed size.
package struct CredentialHistory: Sendable {
  /// Enough to see what a night's jobs did; some 200 KiB.
  package static let capacity = 1024
  /// So many of the newest entries are compared with a new one, which then only counts: a job that fetches a
  /// thousand files with one credential is one entry.
  private static let comparisons = 8

  private let capacity: Int
  private var entries: [HistoryEntry] = []
  /// Where the next one goes once the ring is full.
  private var next = 0
  /// Of all time.
  package private(set) var recorded = 0

  package init(capacity: Int = CredentialHistory.capacity) { self.capacity = max(1, capacity) }

  package var count: Int { entries.count }

  /// - Returns: Whether it is more than a repetition.
  @discardableResult
  package mutating func record(_ entry: HistoryEntry) -> Bool {
    recorded += 1
    if !entries.isEmpty, entries[index(ofAge: 0)].countIfRepeated(by: entry) { return false }
    return recordApart(entry)
  }

  /// It is not a repetition of the newest one.
  private mutating func recordApart(_ entry: HistoryEntry) -> Bool {
    var entry = entry
    for age in 1..<max(1, min(CredentialHistory.comparisons, entries.count))
    where entries[index(ofAge: age)].isRepeated(by: entry) {
      entry.uses += entries[index(ofAge: age)].uses
      // It is the newest one now.
      for newer in stride(from: age, to: 0, by: -1) {
        entries[index(ofAge: newer)] = entries[index(ofAge: newer - 1)]
      }
      entries[index(ofAge: 0)] = entry
      return false
    }
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[next] = entry
      next = (next + 1) % capacity
    }
    return true
  }

  /// The newest entries that `isWanted`, newest first.
  package func latest(_ limit: Int, where isWanted: (HistoryEntry) -> Bool = { _ in true }) -> [HistoryEntry]
  {
    var latest: [HistoryEntry] = []
    for age in 0..<entries.count {
      guard latest.count < limit else { break }
      let entry = entries[index(ofAge: age)]
      if isWanted(entry) { latest.append(entry) }
    }
    return latest
  }

  /// 0 is the newest.
  private func index(ofAge age: Int) -> Int {
    (next + entries.count - 1 - age) % entries.count
  }
}

/// What became of a credential, a challenge or a restricted request. Holds no secret.
package struct HistoryEntry: Sendable, Equatable {
  /// Seconds since 1970, of the last use.
  package var time: Double
  package let outcome: Outcome
  package var session = ""
  /// Of the server, or of the proxy; nil when a restricted connection named none.
  package var origin: Origin?
  package var authenticationMethod: AuthenticationMethod?
  package var realm: OctetString?
  package var isProxy = false
  package var user: String?
  /// The id of a client identity.
  package var identity: String?
  /// The process that it was for; nil when it is not known any more.
  package var process: ProcessIdentifier?
  /// The processes that were asked.
  package var asked: [ProcessIdentifier] = []
  /// The process that answered, or that had given the credential.
  package var answeredBy: ProcessIdentifier?
  /// Why it answered, in its own words.
  package var because: String?
  /// Why a restricted connection was refused, and by which restriction.
  package var reason: RestrictionFault.Reason?
  package var restriction: RestrictionIdentifier?
  /// Of the last request that it happened to.
  package var traceContext: TraceContext?
  /// How often the same happened.
  package var uses = 1

  /// A longer user or realm is cut or left out: what is kept is bounded.
  private static let textBytes = 256

  package init(_ outcome: Outcome, at time: Double) {
    self.outcome = outcome
    self.time = time
  }

  init(_ outcome: Outcome, in space: ProtectionSpace, user: String?, at time: Double) {
    self.init(outcome, at: time)
    origin = space.origin
    authenticationMethod = space.authenticationMethod
    isProxy = space.isProxy
    if let realm = space.realm, realm.count <= HistoryEntry.textBytes { self.realm = realm }
    self.user = user.map { String(decoding: $0.utf8.prefix(HistoryEntry.textBytes), as: UTF8.self) }
  }

  private var isOfPrograms: Bool {
    switch outcome {
    case .accepted, .read, .presented, .restricted: true
    case .refused, .serverNotAuthenticated, .answered, .defaultHandling, .cancelled, .rejected, .deadline,
      .withdrawn, .forgotten, .locked, .unlocked, .unlockRefused:
      false
    }
  }

  /// Counts the other one, if the same has happened again.
  mutating func countIfRepeated(by other: HistoryEntry) -> Bool {
    guard isRepeated(by: other) else { return false }
    time = other.time
    traceContext = other.traceContext
    uses += other.uses
    return true
  }

  /// Whether the same has happened again, and is only counted: what programs do without a reply.
  func isRepeated(by other: HistoryEntry) -> Bool {
    outcome == other.outcome && isOfPrograms
      && process == other.process && answeredBy == other.answeredBy
      && reason == other.reason && restriction == other.restriction
      && authenticationMethod == other.authenticationMethod && isProxy == other.isProxy
      && origin == other.origin && user == other.user && identity == other.identity && realm == other.realm
      && session == other.session
      && asked == other.asked
  }
}

/// What a server made of a credential that it was sent.
struct CredentialVerdict: Sendable {
  let outcome: HistoryEntry.Outcome
  let space: ProtectionSpace
  let kind: Credential.Kind
  /// The process that had given it to the session; nil for one on trial.
  let owner: ProcessIdentifier?
}
