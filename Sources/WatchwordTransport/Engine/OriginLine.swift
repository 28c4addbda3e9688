internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The exchanges of one origin: how many libcurl has in hand, and those that wait for their turn.
///
/// libcurl would let them wait itself, but each with an easy handle of its own, in a list that it walks from the
/// start whenever an exchange ends, and in the order in which they came, whatever their priority.
@ReactorActor
final class OriginLine {
  /// Streams that libcurl puts on one connection before it opens another.
  private static let streamsPerConnection = 100

  let origin: Origin
  /// Nil when memory is short.
  let url: OriginURL?
  private let connections: Int
  private var running = 0
  private var isMultiplexed = false
  /// How many may run until a connection that is being made is there.
  private var limit: Int?

  /// The next one last: the highest priority, and of that the one that came first.
  private(set) var waiting: [CurlExchange] = []

  init(_ origin: Origin, connections: Int) {
    self.origin = origin
    url = OriginURL(origin)
    self.connections = connections
  }

  var isEmpty: Bool { running == 0 && waiting.isEmpty }

  private var hasRoom: Bool {
    running < min(limit ?? .max, connections * (isMultiplexed ? OriginLine.streamsPerConnection : 1))
  }

  /// Whether the exchange may begin now; if not, it stands in line.
  func admits(_ exchange: CurlExchange) -> Bool {
    guard hasRoom, waiting.isEmpty else {
      waiting.insert(exchange, at: place(of: exchange))
      return false
    }
    running += 1
    return true
  }

  /// The next one that may begin.
  func next() -> CurlExchange? {
    guard hasRoom, let exchange = waiting.popLast() else { return nil }
    running += 1
    return exchange
  }

  /// An exchange that had begun has ended. Whether another may begin.
  func ended() -> Bool {
    running -= 1
    return hasRoom && !waiting.isEmpty
  }

  /// The origin speaks HTTP/2: its exchanges share connections. Whether others may begin because of that.
  func multiplexes() -> Bool {
    isMultiplexed = true
    return hasRoom && !waiting.isEmpty
  }

  /// A running exchange has met a connection that is being made, and will stand in line again.
  func holdBack() { limit = max(1, (limit ?? running) - 1) }

  /// A connection has been made. Whether others may begin because of that.
  func letOn() -> Bool {
    limit = nil
    return hasRoom && !waiting.isEmpty
  }

  /// Takes an exchange out of the line, if it stands there.
  func leave(_ exchange: CurlExchange) {
    let place = place(of: exchange)
    if place < waiting.count, waiting[place] === exchange { waiting.remove(at: place) }
  }

  /// Those that wait, the first one first; none does any more.
  func takeWaiting() -> [CurlExchange] {
    defer { waiting.removeAll() }
    return waiting.reversed()
  }

  /// Where the exchange stands, or is to stand.
  private func place(of exchange: CurlExchange) -> Int {
    var (low, high) = (0, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if exchange.goesBefore(waiting[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
