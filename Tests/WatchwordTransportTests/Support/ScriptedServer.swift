import Glibc
import WatchwordReactor
internal import WatchwordVocabulary

/// A server that answers with the bytes it is told to, on a thread for each connection.
final class ScriptedServer: Sendable {
  /// One accepted connection, as the script sees it. Blocking, with a time limit on every read.
  struct Peer: Sendable {
    let descriptor: Int32

    func send(_ text: String) { send(Array(text.utf8)) }

    /// False when the peer has gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Up to `count` bytes; empty at the end.
    func receive(_ count: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, recv(descriptor, buffer.baseAddress, count, 0))
      }
    }

    /// Header block of a request, and what came with it; nil at the end.
    func request() -> (head: String, rest: [UInt8])? {
      var bytes: [UInt8] = []
      while true {
        if let end = Self.end(of: bytes) {
          return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...]))
        }
        let more = receive(65_536)
        guard !more.isEmpty else { return nil }
        bytes += more
      }
    }

    /// A request with a body of declared length.
    func requestWithBody() -> (head: String, body: [UInt8])? {
      guard let (head, rest) = request() else { return nil }
      var body = rest
      let length =
        head.split(separator: "\r\n").lazy
        .filter { $0.lowercased().hasPrefix("content-length:") }
        .compactMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }.first ?? 0
      while body.count < length {
        let more = receive(min(65_536, length - body.count))
        guard !more.isEmpty else { return nil }
        body += more
      }
      return (head, body)
    }

    /// Makes the close a reset.
    func reset() {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private static func end(of bytes: [UInt8]) -> Int? {
      guard bytes.count >= 4 else { return nil }
      for index in 0...(bytes.count - 4) where bytes[index..<(index + 4)].elementsEqual([13, 10, 13, 10]) {
        return index + 4
      }
      return nil
    }
  }

  let port: UInt16
  private let listener: Int32
  private let counted = Locked(0)
  private let script: @Sendable (Peer, Int) -> Void

  /// `script` is run for each connection with its number, from 0; the connection is closed when it returns.
  init(_ script: @escaping @Sendable (Peer, Int) -> Void) {
    self.script = script
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
        _ = listen(listener, 128)
        _ = getsockname(listener, $0, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.start { [self] in acceptAll() }
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var connections: Int { counted.withLock { $0 } }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        close(listener)
        return
      }
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var yes: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      let number = counted.withLock { count in
        defer { count += 1 }
        return count
      }
      Thread.start { [script] in
        script(Peer(descriptor: descriptor), number)
        close(descriptor)
      }
    }
  }
}

/// A detached thread.
enum Thread {
  private final class Box: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  static func start(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, box)
    pthread_detach(thread)
  }
}
