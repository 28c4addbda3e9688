internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// A copy of a caller's descriptor that is closed with its last user.
final class SharedDescriptor: Sendable {
  let number: Int32
  /// Of the caller.
  let account: UInt32

  init?(copying original: Int32, of account: UInt32) {
    let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    number = copy
    self.account = account
  }

  deinit { DescriptorCloser.close(number, of: account) }
}
