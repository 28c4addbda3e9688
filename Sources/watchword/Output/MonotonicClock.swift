internal import CLinux
internal import Glibc

/// A clock that nobody sets, for lengths of time.
enum MonotonicClock {
  /// Since some moment in the past.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
