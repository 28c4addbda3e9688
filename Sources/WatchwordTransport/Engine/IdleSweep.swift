internal import CTransport
internal import WatchwordReactor

/// Readable idle connections: their servers have closed them, or send data that no request asked for.
///
/// libcurl checks idle connections only when a transfer begins, at most once a second: it then closes those that have
/// ended, and reads the frames of HTTP/2. A transfer that ends at once triggers the check.
///
/// A connection whose exchanges are all paused looks the same to the loop: libcurl does not watch its socket, and
/// data from its server waits there. Such a connection is skipped.
@ReactorActor
struct IdleSweep {
  /// How often a connection was still readable after libcurl's check; in no order.
  var suspects: [Int32: Int] = [:]
  var timer: LoopTimer?
  /// The transfer that triggers the check, while it runs.
  var easy: UnsafeMutableRawPointer?

  /// Longer than libcurl's interval between two checks.
  static let intervalSeconds = 1.1
  /// Checks after which a server that keeps sending is treated as a flood.
  static let maximumLooks = 3

  mutating func cancel() {
    timer?.cancel()
    timer = nil
    suspects.removeAll()
  }
}
