internal import CLinux
internal import Glibc
internal import WatchwordPrimitives

/// The process at the other end, as the kernel recorded it when it connected.
struct PeerProcess: Sendable {
  /// Nil for a process that the daemon's pid namespace does not show: the kernel calls them all 0.
  let pid: Int32?
  let uid: UInt32
  /// The connection; this value is invalid after its end.
  private let descriptor: Int32

  /// Read before the first byte; nil when the kernel does not say, or names a uid that may be several accounts.
  init?(of descriptor: Int32) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    guard clinux_peer_credentials(descriptor, &pid, &uid, &gid), KnownUIDs.ofProcess.identifies(uid) else {
      return nil
    }
    self.pid = pid > 0 ? pid : nil
    self.uid = uid
    self.descriptor = descriptor
  }

  /// The path of its program: a hint for display, never an authorization, because pids are reused. Nil when the
  /// process has ended and the kernel can tell (Linux 6.5).
  var executable: String? {
    guard let pid else { return nil }
    let process = clinux_peer_pidfd(descriptor)
    guard process >= 0 || errno == ENOPROTOOPT else { return nil }
    defer { if process >= 0 { close(process) } }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count - 1)
    // Checked afterwards: the path then belongs to this process.
    guard count > 0, process < 0 || !hasEnded(process) else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func hasEnded(_ process: Int32) -> Bool {
    var watched = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) != 0
  }
}
