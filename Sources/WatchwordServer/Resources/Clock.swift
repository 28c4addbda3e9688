internal import Glibc

/// Wall-clock time; the event loop has the monotonic time.
enum Clock {
  /// Seconds since 1970.
  static func wallSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
