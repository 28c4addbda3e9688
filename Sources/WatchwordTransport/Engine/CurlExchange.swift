internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One exchange as its owner sees it; outlives the slot that runs it.
@ReactorActor
final class CurlExchange: Exchange {
  enum State {
    /// Not yet given to libcurl.
    case waiting
    case running(TransferSlot)
    case finished
  }

  let number: UInt64
  var state = State.waiting
  private(set) var isFinished = false
  private(set) var isPaused = false
  /// How often it was about to use an unsuitable connection, and began again.
  var beginnings = 0
  var requiresNewConnection: Bool
  /// Counts calls of `resume`, so that one during a delegate call is not lost.
  private(set) var resumptions = 0
  /// Released with the end of the exchange.
  private(set) var request: ExchangeRequest?
  /// Its body is released with the request.
  private(set) var setup: ExchangeSetup
  private(set) var delegate: (any ExchangeDelegate)?
  /// Where it begins, or begins again.
  var pool: ConnectionPool?

  init(
    number: UInt64, _ request: ExchangeRequest, _ setup: ExchangeSetup, delegate: any ExchangeDelegate
  ) {
    self.number = number
    requiresNewConnection = request.repetition.requiresNewConnection
    self.request = request
    self.setup = setup
    self.delegate = delegate
  }

  /// After this many, a body is sent over HTTP/2: the server selects a protocol that it was not offered.
  private static let maximumBeginnings = 3

  var hasBodyToSend: Bool { !setup.body.isEmpty }
  var hasBegunTooOften: Bool { beginnings >= Self.maximumBeginnings }

  var isUnsent: Bool {
    switch state {
    case .waiting: true
    case .running(let slot): slot.isUnsent
    case .finished: false
    }
  }

  var connection: UInt64? {
    if case .running(let slot) = state { slot.transfer.number } else { nil }
  }

  /// Whether it gets a connection before the other one.
  func goesBefore(_ other: CurlExchange) -> Bool {
    (setup.settings.priority, other.number) > (other.setup.settings.priority, number)
  }

  func cancel() {
    let before = state
    let origin = request?.url.origin
    end()
    switch before {
    case .waiting: if let origin { pool?.forget(self, of: origin) }
    case .finished: break
    case .running(let slot): pool?.stop(slot)
    }
    pool = nil
  }

  func pause() { isPaused = true }

  func resume() {
    resumptions += 1
    isPaused = false
    guard case .running(let slot) = state else { return }
    slot.noteActivity()
    slot.restartRest()
    pool?.unpauseLater(slot)
  }

  func limitRest(seconds: Double) {
    guard case .running(let slot) = state else { return }
    slot.limitRest(seconds: seconds)
    pool?.watchInactivity(of: slot)
  }

  /// Reports the end; the delegate is not called again.
  func finish(_ error: TransportError?, _ metrics: ExchangeMetrics) {
    guard let delegate else { return }
    end()
    pool = nil
    delegate.exchange(self, didFinish: error, metrics: metrics)
  }

  /// The delegate refused bytes, which are offered again after `resume`.
  func pauseUnlessResumed(since count: Int) -> Bool {
    guard count == resumptions else { return false }
    isPaused = true
    return true
  }

  private func end() {
    state = .finished
    isFinished = true
    delegate = nil
    request = nil
    setup.body = .none
  }
}
