internal import Glibc

/// Writes to a descriptor until all bytes are written.
enum Output {
  /// False with `errno` set when the descriptor accepts no more.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if !Readiness.mayTryAgain(descriptor, to: .write) {
        return false
      }
    }
    return true
  }

  /// The system's text for `errno`.
  static var lastError: String { String(cString: strerror(errno)).lowercased() }
}
