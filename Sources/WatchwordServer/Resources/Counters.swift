internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordVocabulary

/// What the daemon has done since it started; cumulative, with the names of the protocol.
final class Counters {
  var fetchesStarted = 0
  var fetchesSucceeded = 0
  var fetchesFailed = 0
  var exchanges = 0
  var challengesCoalesced = 0
  var challengesAnswered = 0
  /// Refusals that offered less than the server did before.
  var challengesDowngraded = 0
  var preemptive = 0
  /// Chains that matched no report-only pin.
  var pinsReported = 0
  /// Transactions of vaults, and those that failed.
  var vaultWrites = 0
  var vaultWritesFailed = 0
  /// Bodies that had the digests expected of them, and bodies that had not.
  var bodiesVerified = 0
  var bodiesMismatched = 0
  /// What was added to the histories of all accounts.
  var historyEntries = 0
  /// Those that could not be added to the administrator's file.
  var historyUnwritten = 0
  /// Readings of the administrator's sources, and those that gave nothing.
  var sourcesRead = 0
  var sourcesFailed = 0
  /// Credentials that were given back.
  var credentialsRead = 0
  /// Requests to token endpoints.
  var tokenRequests = 0
  /// Synchronizable credentials that the fleet's store has taken, and changes of other hosts that were taken
  /// over.
  var synchronizationWritten = 0
  var synchronizationTaken = 0
  /// Writes that another host had been before.
  var synchronizationConflicts = 0
  /// Records under the fleet's names that no host of it has written.
  var synchronizationForeign = 0
  /// Connections to the store that have failed.
  var synchronizationFaults = 0
  /// What restricted connections were refused.
  var restrictionViolations = 0
  var connectionsOpened = 0
  var connectionsReused = 0
  var bytesReceived: Int64 = 0
  var bytesSent: Int64 = 0
  /// How often the status was built, for one peer or for many at once.
  var statusRounds = 0
  /// How often a connection could not be accepted for lack of descriptors or memory.
  var acceptsDeferred = 0
  private(set) var challengesRaised = 0
  /// Of responses that were results: 1xx to 5xx.
  private var byClass = [0, 0, 0, 0, 0]
  /// How long tasks took, and how long challenges waited for the reply that was accepted.
  private(set) var taskTimes = Histogram(bounds: Histogram.taskBounds)
  private(set) var replyTimes = Histogram(bounds: Histogram.replyBounds)
  /// Challenges by method, replies by disposition, outcomes: names and counts of those that occurred.
  private var byKind: [String: Int] = [:]

  nonisolated init() {}

  func count(_ metrics: ExchangeMetrics) {
    bytesReceived += metrics.bytesReceived
    bytesSent += metrics.bytesSent
    if metrics.isReused { connectionsReused += 1 } else { connectionsOpened += 1 }
  }

  /// A task has ended.
  ///
  /// - Parameters:
  ///   - status: of the response that is its result; nil: it failed.
  ///   - seconds: from its start to its end.
  func countTask(_ status: Int?, after seconds: Double) {
    taskTimes.count(seconds)
    guard let status else {
      fetchesFailed += 1
      return
    }
    fetchesSucceeded += 1
    let index = status / 100 - 1
    if byClass.indices.contains(index) { byClass[index] += 1 }
  }

  func count(_ verdict: IntegrityCheck.Verdict) {
    switch verdict {
    case .unchecked: break
    case .verified: bodiesVerified += 1
    case .mismatch: bodiesMismatched += 1
    }
  }

  func countRaised(_ method: AuthenticationMethod) {
    challengesRaised += 1
    byKind["challenges.raised.\(method.rawValue)", default: 0] += 1
  }

  /// - Parameter seconds: from the question to the reply; nil when it was not the question's own.
  func countAnswer(_ disposition: Disposition, after seconds: Double?) {
    challengesAnswered += 1
    if let seconds { replyTimes.count(seconds) }
    byKind["challenges.answered.\(disposition.rawValue)", default: 0] += 1
  }

  func countSettled(_ outcome: ChallengeOutcome) {
    byKind["challenges.settled.\(outcome.rawValue)", default: 0] += 1
  }

  /// Every counter under its name, in a fixed order.
  var named: [(name: String, value: Int)] {
    tasks + byClass.enumerated().map { ("fetches.responses.\($0.offset + 1)xx", $0.element) } + others
      + byKind.sorted(on: \.key).map { ($0.key, $0.value) }
  }

  private var tasks: [(name: String, value: Int)] {
    [
      ("fetches.started", fetchesStarted), ("fetches.succeeded", fetchesSucceeded),
      ("fetches.failed", fetchesFailed),
    ]
  }

  private var others: [(name: String, value: Int)] {
    [
      ("exchanges", exchanges),
      ("challenges.raised", challengesRaised), ("challenges.coalesced", challengesCoalesced),
      ("challenges.answered", challengesAnswered), ("challenges.downgraded", challengesDowngraded),
      ("credentials.preemptive", preemptive),
      ("credentials.read", credentialsRead), ("pins.reported", pinsReported),
      ("vault.written", vaultWrites), ("vault.unwritten", vaultWritesFailed),
      ("bodies.verified", bodiesVerified), ("bodies.mismatched", bodiesMismatched),
      ("history.entries", historyEntries),
      ("history.unwritten", historyUnwritten), ("restrictions.violations", restrictionViolations),
      ("sources.read", sourcesRead), ("sources.failed", sourcesFailed),
      ("sources.tokenRequests", tokenRequests),
      ("synchronization.written", synchronizationWritten), ("synchronization.taken", synchronizationTaken),
      ("synchronization.conflicts", synchronizationConflicts),
      ("synchronization.foreign", synchronizationForeign),
      ("synchronization.faults", synchronizationFaults),
      ("connections.opened", connectionsOpened), ("connections.reused", connectionsReused),
      ("bytes.received", Int(bytesReceived)), ("bytes.sent", Int(bytesSent)),
      ("accepts.deferred", acceptsDeferred), ("status.rounds", statusRounds),
    ]
  }
}
