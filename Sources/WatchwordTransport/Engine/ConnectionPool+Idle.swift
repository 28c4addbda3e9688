internal import CTransport
internal import WatchwordReactor

extension ConnectionPool {
  /// A socket that libcurl does not watch has become readable.
  func suspect(_ socket: Int32) {
    idleSweep.suspects[socket] = idleSweep.suspects[socket] ?? 0
    planSweep()
  }

  private func planSweep() {
    guard idleSweep.timer == nil, idleSweep.easy == nil, !isClosed else { return }
    idleSweep.timer = EventLoop.shared.schedule(after: IdleSweep.intervalSeconds) { [weak self] in
      self?.beginSweep()
    }
  }

  private func beginSweep() {
    idleSweep.timer = nil
    guard !isClosed, !idleSweep.suspects.isEmpty else { return }
    // Another connection may have the same port on another address; closing it takes a little longer.
    let portsInUse = Set(active.map { transport_easy_local_port($0.easy) })
    var somethingIsIdle = false
    for (socket, looks) in idleSweep.suspects {
      guard let known = sockets[socket], known.isIdle, known.isOpen(socket) else {
        idleSweep.suspects[socket] = nil
        continue
      }
      if portsInUse.contains(transport_local_port(socket)) {
        idleSweep.suspects[socket] = 0
        continue
      }
      somethingIsIdle = true
      if looks >= IdleSweep.maximumLooks { end(socket) }
    }
    guard somethingIsIdle else {
      if !idleSweep.suspects.isEmpty { planSweep() }
      return
    }
    guard let easy = transport_easy_make_fruitless() else { return }
    guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return curl_easy_cleanup(easy) }
    idleSweep.easy = easy
  }

  /// Ends the connection while libcurl still has its descriptor, so that libcurl finds it ended.
  private func end(_ socket: Int32) {
    guard transport_replace_by_closed(socket) else { return }
    sockets[socket]?.stop()
    let ended = SocketWatch(isConnection: true, on: socket)
    ended.isIdle = true
    sockets[socket] = ended
  }

  /// libcurl has checked its idle connections.
  func endSweep() {
    freeSweep()
    guard !isClosed else { return }
    for (socket, looks) in idleSweep.suspects {
      guard let known = sockets[socket], known.isIdle else {
        idleSweep.suspects[socket] = nil
        continue
      }
      if transport_is_readable(socket) {
        idleSweep.suspects[socket] = looks + 1
      } else {
        idleSweep.suspects[socket] = nil
        watchIdle(socket, known)
      }
    }
    if !idleSweep.suspects.isEmpty { planSweep() }
  }

  func freeSweep() {
    guard let easy = idleSweep.easy else { return }
    idleSweep.easy = nil
    curl_multi_remove_handle(multi, easy)
    curl_easy_cleanup(easy)
  }
}

/// Readable idle connections: their servers have closed them, or send data that no request asked for.
///
/// libcurl checks idle connections only when a transfer begins, at most once a second: it then closes those
/// that have ended, and reads the frames of HTTP/2. A transfer that ends at once triggers the check.
///
/// A connection whose exchanges are all paused looks the same to the loop: libcurl does not watch its socket,
/// and data from its server waits there. Such a connection is skipped.
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
