internal import WatchwordReactor
internal import WatchwordVocabulary

/// Tells the connections of a pool apart, which libcurl 7.88 does not: by the origin and the local port.
@ReactorActor
final class ConnectionNumbers {
  /// Connections that are remembered. Beyond it all are forgotten: they get other numbers.
  private static let capacity = 4096
  /// Of all pools: a number is never used again.
  private static var last: UInt64 = 0

  private struct Place: Hashable {
    let origin: Origin
    let port: Int
  }

  private var numbers: [Place: UInt64] = [:]

  /// - Parameter isNew: whether this is the first request on the connection.
  func number(of origin: Origin, _ port: Int, isNew: Bool) -> UInt64 {
    let place = Place(origin: origin, port: port)
    if !isNew, let known = numbers[place] { return known }
    if numbers.count >= Self.capacity { numbers.removeAll() }
    Self.last += 1
    numbers[place] = Self.last
    return Self.last
  }
}
