internal import Glibc
internal import WatchwordReactor

/// An HTTP origin on the loop itself, so that a run has one thread and is the same each time.
@ReactorActor
final class LoopOrigin {
  struct Reply {
    var bytes: [UInt8]
    /// How much of it is sent in one turn of the loop.
    var pieceBytes = Int.max
    /// Whether the connection stays open after it.
    var staysOpen = true
  }

  /// Answers every request.
  var reply: (_ head: [UInt8]) -> Reply
  private(set) var port: UInt16 = 0
  private let listener: Int32
  private var listening: Watch?
  private var connections: [Int32: LoopConnection] = [:]

  init(_ reply: @escaping (_ head: [UInt8]) -> Reply) {
    self.reply = reply
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        require(bind(listener, $0, length) == 0 && listen(listener, 128) == 0, "no port to listen on")
        _ = getsockname(listener, $0, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    listening = try? EventLoop.shared.watch(listener, for: .readable) { [unowned self] _ in accept() }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return }
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    connections[descriptor] = LoopConnection(descriptor, of: self)
  }

  fileprivate func forget(_ descriptor: Int32) { connections[descriptor] = nil }
}

/// One connection of a ``LoopOrigin``.
@ReactorActor
private final class LoopConnection {
  private let descriptor: Int32
  private unowned let origin: LoopOrigin
  private var watch: Watch?
  private var received: [UInt8] = []

  init(_ descriptor: Int32, of origin: LoopOrigin) {
    self.descriptor = descriptor
    self.origin = origin
    watch = try? EventLoop.shared.watch(descriptor, for: .readable) { [unowned self] _ in receive() }
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN { end() }
      return
    }
    received += buffer[..<count]
    // Requests have no bodies.
    guard received.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
    let reply = origin.reply(received)
    received.removeAll(keepingCapacity: true)
    send(reply.bytes[...], reply)
  }

  private func send(_ rest: ArraySlice<UInt8>, _ reply: LoopOrigin.Reply) {
    guard watch != nil else { return }
    let piece = rest.prefix(reply.pieceBytes)
    let sent = piece.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == piece.count else { return end() }
    let left = rest.dropFirst(piece.count)
    if !left.isEmpty {
      _ = EventLoop.shared.schedule(after: 0) { self.send(left, reply) }
    } else if !reply.staysOpen {
      shutdown(descriptor, Int32(SHUT_WR))
    }
  }

  private func end() {
    watch?.cancel()
    watch = nil
    close(descriptor)
    origin.forget(descriptor)
  }
}
