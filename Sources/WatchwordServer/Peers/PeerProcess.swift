internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// The process at the other end, as the kernel recorded it when it connected.
struct PeerProcess: Sendable {
  /// Nil for a process that the daemon's pid namespace does not show: the kernel calls them all 0.
  let pid: Int32?
  let uid: UInt32
  /// In the kernel's ticks since it booted; nil when it is not known whose the pid is.
  private let startTime: UInt64?
  /// The connection; this value is invalid after its end.
  private let descriptor: Int32

  /// Read before the first byte; nil when the kernel does not say, or names a uid that may be several
  /// accounts.
  init?(of descriptor: Int32) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    guard clinux_peer_credentials(descriptor, &pid, &uid, &gid), KnownUIDs.ofProcess.identifies(uid) else {
      return nil
    }
    self.init(pid: pid, uid: uid, of: descriptor)
  }

  /// - Parameter pid: as the kernel says it.
  init(pid: pid_t, uid: uid_t, of descriptor: Int32) {
    let known = pid > 0 ? pid : nil
    self.pid = known
    self.uid = uid
    self.descriptor = descriptor
    startTime = known.flatMap { pid in PeerProcess.reading(descriptor) { PeerProcess.startTime(of: pid) } }
  }

  /// What makes it one process among those of all connections.
  func identifier(behind peer: PeerIdentifier) -> ProcessIdentifier {
    guard let pid, let startTime else { return ProcessIdentifier(unknownBehind: peer, pid: pid) }
    return ProcessIdentifier(pid: pid, startTime: startTime)
  }

  /// The path of its program: a hint for display, never an authorization. Nil when the process has ended and
  /// the kernel can tell (Linux 6.5).
  var executable: String? {
    guard let pid else { return nil }
    return PeerProcess.reading(descriptor) {
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count - 1)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// What /proc says of the process: nil when it has ended, so that the pid may be another's, and the kernel
  /// can tell.
  private static func reading<Value>(_ descriptor: Int32, _ read: () -> Value?) -> Value? {
    let process = clinux_peer_pidfd(descriptor)
    guard process >= 0 || errno == ENOPROTOOPT else { return nil }
    defer { if process >= 0 { close(process) } }
    let value = read()
    // Checked afterwards: what was read is then this process's.
    return process < 0 || !hasEnded(process) ? value : nil
  }

  private static func hasEnded(_ process: Int32) -> Bool {
    var watched = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) != 0
  }

  /// Field 22 of proc_pid_stat(5). The program's name, field 2, may have spaces and parentheses.
  private static func startTime(of pid: pid_t) -> UInt64? {
    let file = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 19 else { return nil }
    return UInt64(String(decoding: fields[19], as: UTF8.self))
  }
}
