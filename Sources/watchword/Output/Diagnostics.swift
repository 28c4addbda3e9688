internal import Glibc
internal import WatchwordPrimitives

/// Messages for a person beside the result: on standard error, one line each.
enum Diagnostics {
  static func report(_ failure: Failure) {
    if let message = failure.message { write("watchword: \(message)\n") }
    if let hint = failure.hint { self.hint(hint) }
  }

  static func hint(_ text: String) { write("hint: \(text)\n") }

  /// What does not count; the command goes on.
  static func warn(_ text: String) { write("watchword: warning: \(DisplayText.escaped(text))\n") }

  /// One `write` a line, so that lines of several processes do not mix.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Output.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}
