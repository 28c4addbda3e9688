internal import CTransport
internal import Glibc
internal import WatchwordReactor

/// A copy of a caller's descriptor that is closed with its last user.
final class SharedDescriptor: Sendable {
  let number: Int32

  init?(copying original: Int32) {
    let copy = fcntl(original, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    number = copy
  }

  deinit { DescriptorCloser.close(number) }
}
