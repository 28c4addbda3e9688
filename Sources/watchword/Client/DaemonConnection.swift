internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions

/// One blocking connection to the daemon: lines out, lines in, descriptors with either.
final class DaemonConnection {
  /// A reply holds at most the largest inline body that a session may request (64 MiB), as base64, and its
  /// frame.
  static let longestLine = 96 << 20

  private static let chunk = 64 << 10

  /// For waiting on it together with another descriptor.
  var number: Int32 { socket.number }

  /// Whether the daemon may be sent what could be secret: it runs as this user or as root.
  let isTrusted: Bool
  let path: String
  let uid: UInt32
  /// Whether the daemon ended before it had read all that was sent, which the kernel tells.
  private(set) var wasLostUnread = false

  private let socket: Descriptor
  private var buffer: [UInt8] = []
  /// Where the next line begins in `buffer`, and up to where no newline has been found.
  private var start = 0
  private var searched = 0
  private var descriptors: [Int32] = []

  /// Connects to `path`; nil with `errno` set when no process listens there.
  ///
  /// The daemon must run as this user or as root: any other user who controls the path would receive
  /// passwords. The kernel identifies it before a byte is sent. Root may ask the daemon of another user about
  /// itself (``isTrusted``).
  init?(path: String) throws(ClientError) {
    let number = clinux_unix_connect(path)
    guard number >= 0 else { return nil }
    socket = Descriptor(owning: number)
    var (pid, uid, gid): (pid_t, uid_t, gid_t) = (0, 0, 0)
    guard clinux_peer_credentials(number, &pid, &uid, &gid) else {
      throw .noDaemon(path: path, reason: .system(errno: errno))
    }
    self.path = path
    self.uid = uid
    isTrusted = DaemonConnection.mayGetSecrets(uid)
    guard isTrusted || (geteuid() == 0 && KnownUIDs.ofProcess.identifies(uid)) else {
      throw .foreignDaemon(path: path, uid: uid)
    }
  }

  private static func mayGetSecrets(_ uid: UInt32) -> Bool {
    (uid == geteuid() || uid == 0) && KnownUIDs.ofProcess.identifies(uid)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Sends one message, which ends in a newline, and `descriptors` with its first byte.
  func send(_ message: borrowing WipedBytes, descriptors: [Int32] = []) throws(ClientError) {
    var offset = 0
    while offset < message.count {
      let attached = offset == 0 ? descriptors : []
      let sent = message.withUnsafeBytes { bytes in
        clinux_send(
          number, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, attached,
          Int32(attached.count), true)
      }
      if sent > 0 {
        offset += sent
      } else if errno != EINTR {
        wasLostUnread = errno == EPIPE || errno == ECONNRESET
        throw .connectionLost
      }
    }
  }

  /// The next received line, without its newline; nil when there is none yet.
  func nextLine() throws(ClientError) -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      guard searched - start <= Self.longestLine else { throw .unintelligible }
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    return buffer[start..<end]
  }

  /// Receives once; blocks until bytes arrive.
  func receive() throws(ClientError) {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    let count = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
    var numbers = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    var arrived = clinux_arrived()
    let received = buffer.withUnsafeMutableBytes { bytes in
      var received: Int
      repeat {
        guard let room = bytes.baseAddress?.advanced(by: count) else { return 0 }
        received = clinux_receive(number, room, Self.chunk, &numbers, &arrived, true)
      } while received < 0 && errno == EINTR
      if received < 0 { wasLostUnread = errno == ECONNRESET }
      return received
    }
    buffer.removeSubrange((count + max(received, 0))...)
    descriptors += numbers.prefix(Int(arrived.count))
    guard received > 0, !arrived.is_excessive, !arrived.is_incomplete else { throw .connectionLost }
  }

  /// The descriptors that a message says it carries, in order; fewer when the sender lied.
  func takeDescriptors(_ count: Int) -> [Int32] {
    let taken = Array(descriptors.prefix(max(0, count)))
    descriptors.removeFirst(taken.count)
    return taken
  }
}

/// The envelope of a message from the daemon (JSON-RPC 2.0).
struct ReceivedMessage: Readable {
  /// Nil for a reply.
  let method: String?
  /// Nil when there are none; null is a value, here and below.
  let parameters: JSONNode?
  let identifier: Int?
  let result: JSONNode?
  let error: JSONNode?
  /// How many descriptors came with it.
  let descriptors: Int

  init(reading node: JSONNode) throws(ReadFault) {
    let object = try ReadObject(reading: node)
    method = try object.memberIfPresent("method")
    parameters = node["params"]
    identifier = try object.member("id")
    result = node["result"]
    error = node["error"]
    descriptors = try object.member("descriptors")
  }
}
