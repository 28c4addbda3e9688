internal import Glibc
internal import Logging

/// The log file of a daemon that was started on demand: replaces standard error.
///
/// It also receives what the runtime prints about a crash. Until the daemon is ready, standard error is the
/// starter's, which tells a person why there is no daemon.
struct LogFile: Sendable {
  /// With the previous file twice as much: months of notices.
  private static let maximumBytes = 1024 * 1024

  let path: String

  /// Makes the file standard error, and discards standard output; returns the fault, or nil.
  func takeOver() -> String? {
    guard redirect() else { return "\(path): \(String(cString: strerror(errno)))" }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if nowhere >= 0 {
      dup2(nowhere, STDOUT_FILENO)
      close(nowhere)
    }
    return nil
  }

  /// Starts a new file when it is full; the full one stays beside it as `.1`.
  func keepBounded() {
    var written = stat()
    var named = stat()
    guard fstat(STDERR_FILENO, &written) == 0, written.st_size > LogFile.maximumBytes,
      lstat(path, &named) == 0, named.st_ino == written.st_ino, named.st_dev == written.st_dev
    else { return }
    guard rename(path, path + ".1") == 0 else { return }
    _ = redirect()
  }

  private func redirect() -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return false }
    guard information.st_mode & S_IFMT == S_IFREG, information.st_uid == getuid() else {
      errno = EPERM
      return false
    }
    return dup2(descriptor, STDERR_FILENO) >= 0
  }
}
