internal import Glibc

/// Writes whole results to standard output.
///
/// A reader that has gone away ends the program by SIGPIPE, as every filter does.
enum StandardOutput {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { writeAll(UnsafeRawBufferPointer($0)) }
  }

  static func writeAll(_ bytes: UnsafeRawBufferPointer) {
    guard Output.write(bytes, to: STDOUT_FILENO) else {
      Diagnostics.report(Failure("standard output cannot be written: \(Output.lastError)"))
      exit(ExitCode.failure.rawValue)
    }
  }
}

/// Writing to a descriptor until everything is out.
enum Output {
  /// False with `errno` set when the descriptor takes no more.
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

  /// The system's words for `errno`.
  static var lastError: String { String(cString: strerror(errno)).lowercased() }
}
