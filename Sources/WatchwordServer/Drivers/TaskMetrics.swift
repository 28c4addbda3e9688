internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// What a task cost, exchange by exchange; seconds.
struct TaskMetrics {
  /// A task that is redirected and refused at every hop stays below this.
  private static let exchangeCapacity = 128

  private var exchanges: [Fetch.Metrics.Exchange] = []
  private var waitSeconds = 0.0
  private var totalSeconds = 0.0
  private var began = 0.0
  private var waitBegan: Double?

  var description: Fetch.Metrics {
    Fetch.Metrics(challengeWaitSeconds: waitSeconds, totalSeconds: totalSeconds, exchanges: exchanges)
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
    _ metrics: ExchangeMetrics, url: RequestURL, status: Int?, method: AuthenticationMethod?,
    mechanism: InnerMechanism?
  ) {
    guard exchanges.count < TaskMetrics.exchangeCapacity else { return }
    exchanges.append(
      Fetch.Metrics.Exchange(
        url: url.text, status: status, authenticationMethod: method, mechanism: mechanism, metrics: metrics))
  }

  /// The last exchange has ended before its server's token was verified.
  mutating func note(_ mechanism: InnerMechanism) {
    guard let last = exchanges.indices.last, exchanges[last].authenticationMethod == .negotiate else {
      return
    }
    exchanges[last].mechanism = mechanism
  }
}
