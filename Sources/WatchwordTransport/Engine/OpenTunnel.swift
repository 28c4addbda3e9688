internal import Glibc

/// A tunnel between the exchange that has asked a proxy for it and the exchange that goes through it.
///
/// libcurl 7.88 closes the connection of its own request for a tunnel when the proxy refuses it. Methods of
/// authentication that need several requests on one connection therefore ask in exchanges like any other; when the proxy
/// agrees, the socket is kept while libcurl closes the connection, and given back to it as one that is connected.
struct OpenTunnel {
  private var socket: Int32?
  /// Whether the next connection that libcurl closes is a tunnel.
  private var isClosing = false

  /// The connection that libcurl is about to close is one.
  mutating func keepNext() { isClosing = true }

  /// Whether the socket is kept, which libcurl closes.
  mutating func keeps(_ closed: Int32) -> Bool {
    guard isClosing else { return false }
    close()
    socket = closed
    return true
  }

  mutating func take() -> Int32? { socket.take() }

  mutating func close() {
    isClosing = false
    if let socket { _ = Glibc.close(socket) }
    socket = nil
  }
}
