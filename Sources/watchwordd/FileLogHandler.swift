internal import Logging

/// Writes log lines to standard error when that is a file, whose size is limited.
struct FileLogHandler: StandardErrorLogHandler {
  var stream: StreamLogHandler
  private let file: LogFile

  init(_ file: LogFile, label: String) {
    self.file = file
    stream = StreamLogHandler.standardError(label: label)
  }

  func log(event: LogEvent) {
    file.keepBounded()
    stream.log(event: event)
  }
}
