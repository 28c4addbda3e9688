internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The exchanges of one origin: how many libcurl has in hand, and those that wait for their turn.
///
/// libcurl would let them wait itself, but each with an easy handle of its own, in a list that it walks from
/// the start whenever an exchange ends, and in the order in which they came, whatever their priority.
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

/// The URL of an origin as libcurl has taken it apart, from which those of its exchanges are made: to take
/// each URL apart costs more than a tenth of what libcurl does for an exchange.
final class OriginURL {
  /// A URL for `CURLOPT_CURLU`, which libcurl only reads: several exchanges may have it.
  final class Parsed {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { curl_url_cleanup(handle) }
  }

  private let base: Parsed

  init?(_ origin: Origin) {
    guard let handle = curl_url() else { return nil }
    base = Parsed(handle)
    let text = RequestURL(origin: origin, path: "/", query: nil).text
    guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
  }

  /// Nil when libcurl has to take the URL apart: it spells escapes in another way when it is given a part.
  func url(_ url: RequestURL) -> Parsed? {
    let escape = UInt8(ascii: "%")
    guard !url.path.utf8.contains(escape), !(url.query?.utf8.contains(escape) ?? false),
      let handle = transport_url_with_target(base.handle, url.path, url.query)
    else { return nil }
    return Parsed(handle)
  }
}
