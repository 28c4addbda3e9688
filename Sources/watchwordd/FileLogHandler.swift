internal import Logging

/// Writes log lines to standard error when that is a file, whose size is limited.
struct FileLogHandler: LogHandler {
  private var stream: StreamLogHandler
  private let file: LogFile

  init(_ file: LogFile, label: String) {
    self.file = file
    stream = StreamLogHandler.standardError(label: label)
  }

  var logLevel: Logger.Level {
    get { stream.logLevel }
    set { stream.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { stream.metadata }
    set { stream.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { stream[metadataKey: key] }
    set { stream[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    file.keepBounded()
    stream.log(event: event)
  }
}
