internal import Glibc

/// Writes whole results to standard output.
///
/// If the reader has closed it, SIGPIPE ends the program, as in every filter.
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
