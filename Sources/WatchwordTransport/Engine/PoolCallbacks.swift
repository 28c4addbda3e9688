internal import CTransport
internal import Glibc

/// libcurl's callbacks for a multi handle, and for connections that outlive their exchange. The context is the
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
