internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

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

  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// The system's text for `errno`.
  static var lastError: String { String(cString: strerror(errno)).lowercased() }
}

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

/// Messages for a person beside the result: on standard error, one line each.
enum Diagnostics {
  static func report(_ failure: Failure) {
    if let message = failure.message { write("watchword: \(message)\n") }
    if let hint = failure.hint { self.hint(hint) }
  }

  static func hint(_ text: String) { write("hint: \(text)\n") }

  /// Why nothing is on the terminal; a program that reads the output sees that itself.
  static func tellPerson(_ text: String) {
    if isatty(STDOUT_FILENO) == 1 { write(DisplayText.escaped(text) + "\n") }
  }

  /// What does not count; the command goes on.
  static func warn(_ text: String) { write("watchword: warning: \(DisplayText.escaped(text))\n") }

  /// One `write` a line, so that lines of several processes do not mix.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Output.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}

/// Formats a value of the daemon as JSON text on one line.
enum JSONText {
  static func of(_ value: OpenValue) -> String { text { value.write(to: &$0) } }

  static func of(_ node: JSONNode) -> String { text { $0.value(node) } }

  static func of(_ value: JSONValue) -> String { text { $0.value(value) } }

  static func of(_ object: some SentObject) -> String { text { object.write(to: &$0) } }

  private static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
