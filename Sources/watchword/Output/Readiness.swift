internal import Glibc

/// Waits for non-blocking descriptors: other programs that share standard streams may have set `O_NONBLOCK`.
enum Readiness {
  enum Purpose {
    case read
    case write
  }

  /// After a failed call on the descriptor: waits if there was nothing to read or no room to write.
  ///
  /// False, with `errno` unchanged, for any other error.
  static func mayTryAgain(_ descriptor: Int32, to purpose: Purpose) -> Bool {
    switch errno {
    case EINTR: return true
    case EAGAIN:
      var watched = pollfd(
        fd: descriptor, events: Int16(purpose == .read ? POLLIN : POLLOUT), revents: 0)
      while poll(&watched, 1, -1) < 0 && errno == EINTR {}
      return true
    default: return false
    }
  }
}
