internal import Glibc

/// Calls of the system that a signal may interrupt (signal(7)).
enum SystemCall {
  /// Makes a call that returns a count, or a negative number with `errno`: again when a signal has interrupted it.
  static func uninterrupted<Failure: Error>(_ call: () throws(Failure) -> Int) throws(Failure) -> Int {
    while true {
      let result = try call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
