internal import CLinux
internal import Glibc

/// The process at the other end, as the kernel says it was when it connected.
struct PeerProcess: Sendable {
  let pid: Int32
  let uid: UInt32

  /// Asked before a byte is read; nil when the kernel does not say.
  init?(of descriptor: Int32) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    guard clinux_peer_credentials(descriptor, &pid, &uid, &gid) else { return nil }
    self.pid = pid
    self.uid = uid
  }

  /// The path of its program: a hint for display, never a right, because pids are reused.
  var executable: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
