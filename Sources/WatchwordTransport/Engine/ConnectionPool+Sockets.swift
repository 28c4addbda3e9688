internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// A connection's descriptor as the loop watches it.
///
/// Between two exchanges libcurl no longer asks for it. It is watched on all the same: a warm fetch then costs
/// no `epoll_ctl`. Should an idle connection become readable (its server closes it), the watch ends there.
@ReactorActor
final class SocketWatch {
  var watch: Watch
  var isIdle = false

  init(_ watch: Watch) { self.watch = watch }

  func cancel() { watch.cancel() }
}

extension ConnectionPool {
  /// libcurl's `CURLMOPT_SOCKETFUNCTION`.
  func setInterest(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      sockets[socket]?.isIdle = true
      return
    }
    var interest: Interest = []
    if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
    if let known = sockets[socket] {
      known.isIdle = false
      known.watch.interest = interest
      return
    }
    let watch = try? EventLoop.shared.watch(socket, for: interest) { [weak self] ready in
      self?.socket(socket, isReady: ready)
    }
    // Without a watch the exchange ends by its timeout.
    if let watch { sockets[socket] = SocketWatch(watch) }
  }

  private func socket(_ socket: Int32, isReady ready: Interest) {
    guard let known = sockets[socket] else { return }
    if known.isIdle {
      forgetSocket(socket)
      return
    }
    var events: Int32 = 0
    if ready.contains(.readable) { events |= CURL_CSELECT_IN }
    if ready.contains(.writable) { events |= CURL_CSELECT_OUT }
    if ready.contains(.hangUp) { events |= CURL_CSELECT_ERR }
    drive(socket, events)
  }

  private func forgetSocket(_ socket: Int32) {
    sockets.removeValue(forKey: socket)?.cancel()
  }

  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(address.family, type, address.protocol)
    if socket >= 0 { counters.open += 1 }
    return socket
  }

  func closeSocket(_ socket: Int32) -> Int32 {
    forgetSocket(socket)
    counters.open -= 1
    return close(socket)
  }
}

/// What libcurl calls for a multi handle, and for connections that outlive their exchange. The context is the
/// ``ConnectionPool``, which lives until its multi handle is cleaned up.
enum PoolCallbacks {
  static let socket: transport_socket_function = { _, socket, what, context, _ in
    guard let context else { return 0 }
    onLoop(context, (socket, what)) { (pool: ConnectionPool, change) in pool.setInterest(change.0, change.1) }
    return 0
  }

  static let timer: transport_timer_function = { _, milliseconds, context in
    guard let context else { return 0 }
    onLoop(context, milliseconds) { (pool: ConnectionPool, milliseconds) in pool.setTimer(milliseconds) }
    return 0
  }

  static let close: transport_close_function = { context, socket in
    guard let context else { return -1 }
    return onLoop(context, socket) { (pool: ConnectionPool, socket) in pool.closeSocket(socket) }
  }
}
