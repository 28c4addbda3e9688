internal import Logging

/// A handler that writes lines to standard error, if not elsewhere: level and metadata are those of that stream.
protocol StandardErrorLogHandler: LogHandler {
  var stream: StreamLogHandler { get set }
}

extension StandardErrorLogHandler {
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
}
