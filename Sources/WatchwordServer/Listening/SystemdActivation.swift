internal import CLinux
internal import Glibc

/// systemd's socket activation and readiness, without its library (sd_listen_fds(3), sd_notify(3)).
enum SystemdActivation {
  /// The first descriptor that systemd passes.
  private static let firstDescriptor: Int32 = 3

  /// The listening socket that systemd has passed to this process; nil when there is none.
  static func descriptor() -> Int32? {
    guard variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
      variable("LISTEN_FDS").flatMap({ Int32($0) }) == 1
    else { return nil }
    unsetenv("LISTEN_PID")
    unsetenv("LISTEN_FDS")
    unsetenv("LISTEN_FDNAMES")
    let flags = fcntl(firstDescriptor, F_GETFD)
    guard flags >= 0, fcntl(firstDescriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else { return nil }
    let status = fcntl(firstDescriptor, F_GETFL)
    guard status >= 0, fcntl(firstDescriptor, F_SETFL, status | O_NONBLOCK) == 0 else { return nil }
    return firstDescriptor
  }

  static func notifyReady() {
    guard let path = variable("NOTIFY_SOCKET") else { return }
    clinux_notify(path, "READY=1")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
