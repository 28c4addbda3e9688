/// One of the administrator's sockets while the daemon serves it.
struct OpenRestrictedSocket {
  let socket: RestrictedSocket
  let listener: Listener
  /// Of the session that there was when the last connection came.
  var entrance: RestrictedEntrance?

  init(_ socket: RestrictedSocket, _ listener: Listener) {
    self.socket = socket
    self.listener = listener
  }
}
