internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The name of a task on the wire. Callers choose names, so each uid has its own set: a caller can neither
/// learn the names of others from a taken one, nor take one from them.
struct TaskName: Hashable {
  let uid: UInt32
  let text: String
}

/// The response that is a task's result.
struct TaskResult {
  let head: ResponseHead
  let body: TaskBody
  /// Whether the body is the beginning only of a refusal's or redirect's page.
  let isTruncated: Bool
  /// Whether the body has the digests that the caller or the server expects of it.
  let isVerified: Bool
}

/// How a task ended.
typealias TaskOutcome = Result<TaskResult, TaskFailure>

extension TaskOutcome {
  /// Of the result; nil: the task failed.
  var status: Int? {
    switch self {
    case .success(let result): result.head.status
    case .failure: nil
    }
  }
}

/// What a task cost, exchange by exchange; seconds.
@ReactorActor
struct TaskMetrics {
  /// A task that is redirected and refused at every step stays below this.
  private static let exchangeCapacity = 128
  /// Of the details of all exchanges; later ones are left out.
  private static let detailCapacity = 262_144

  private struct Exchange {
    let url: String
    let status: Int?
    let method: AuthenticationMethod?
    var mechanism: InnerMechanism?
    let metrics: ExchangeMetrics
  }

  private var exchanges: [Exchange] = []
  private var waitSeconds = 0.0
  private var totalSeconds = 0.0
  private var began = 0.0
  private var waitBegan: Double?
  private var detailBytes = 0

  var sent: Sent.Metrics {
    Sent.Metrics(
      challengeWaitSeconds: waitSeconds, totalSeconds: totalSeconds,
      exchanges: exchanges.map {
        Sent.ExchangeMetrics(
          url: $0.url, status: $0.status, authenticationMethod: $0.method, mechanism: $0.mechanism,
          metrics: $0.metrics)
      })
  }

  mutating func begin(_ now: Double) { began = now }

  mutating func beginWait(_ now: Double) { waitBegan = waitBegan ?? now }

  mutating func endWait(_ now: Double) {
    if let waitBegan { waitSeconds += now - waitBegan }
    waitBegan = nil
  }

  mutating func end(_ now: Double) {
    endWait(now)
    totalSeconds = now - began
  }

  mutating func add(
    _ metrics: ExchangeMetrics, within charge: MemoryCharge, url: RequestURL, status: Int?,
    method: AuthenticationMethod?,
    mechanism: InnerMechanism?
  ) {
    guard exchanges.count < TaskMetrics.exchangeCapacity else { return }
    var metrics = metrics
    if let bytes = metrics.details?.heldBytes {
      if detailBytes + bytes <= TaskMetrics.detailCapacity, charge.grow(by: bytes) {
        detailBytes += bytes
      } else {
        metrics.details = nil
      }
    }
    exchanges.append(
      Exchange(url: url.text, status: status, method: method, mechanism: mechanism, metrics: metrics))
  }

  /// The last exchange has ended before its server's token was verified.
  mutating func note(_ mechanism: InnerMechanism) {
    guard let last = exchanges.indices.last, exchanges[last].method == .negotiate else {
      return
    }
    exchanges[last].mechanism = mechanism
  }
}

/// The cookies of one task, which end with it: no other task is sent them, and it is sent those of no other.
@ReactorActor
final class TaskCookies {
  let jar: SessionCookies
  private let charge: MemoryCharge

  init(policy: SessionConfiguration.Cookies, charge: MemoryCharge) {
    jar = SessionCookies(policy: policy)
    self.charge = charge
  }

  /// The cookies of a response have been kept. Where there is no memory for them, none is.
  func count() {
    guard !charge.grow(to: jar.heldBytes) else { return }
    _ = jar.remove(domain: nil, name: nil)
    charge.giveBack()
  }
}
