internal import CTransport
internal import WatchwordReactor

/// Idle connections that can be read: their servers have closed them, or send what no request asked for.
///
/// libcurl looks at idle connections only when a transfer begins, once a second at most: then it closes those that have
/// ended, and reads the frames of HTTP/2. A transfer that ends at once makes it look.
///
/// To the loop a connection whose exchanges are all paused looks the same: libcurl does not ask for its socket, and what
/// its server sends waits there. It is left alone.
@ReactorActor
struct IdleSweep {
  /// How often a connection could still be read after libcurl had looked; in no order.
  var suspects: [Int32: Int] = [:]
  var timer: LoopTimer?
  /// The transfer that makes libcurl look, while it is under way.
  var easy: UnsafeMutableRawPointer?

  /// Longer than libcurl rests between two looks.
  static let intervalSeconds = 1.1
  /// Looks after which a server that goes on sending is a flood.
  static let maximumLooks = 3

  mutating func cancel() {
    timer?.cancel()
    timer = nil
    suspects.removeAll()
  }
}
