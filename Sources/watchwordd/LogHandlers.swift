internal import CLinux
internal import Glibc
internal import Logging
internal import WatchwordVocabulary

/// A handler that writes lines to standard error, if not elsewhere: level and metadata are those of that
/// stream.
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

/// Sends log lines to systemd's journal, each value as a field of its own, when standard error leads there.
///
/// A line that the journal does not take at once goes to standard error.
struct JournalLogHandler: StandardErrorLogHandler {
  /// The socket of the journal, or of the namespace of the journal in which the unit runs.
  private static let path = "/run/systemd/journal/socket"

  var stream: StreamLogHandler
  private let descriptor: Int32

  /// Nil unless standard error is the journal's, as `JOURNAL_STREAM` says (systemd.exec(5)).
  init?(label: String) {
    var information = stat()
    guard let variable = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &information) == 0,
      String(cString: variable) == "\(information.st_dev):\(information.st_ino)"
    else { return nil }
    descriptor = clinux_datagram_socket()
    guard descriptor >= 0 else { return nil }
    stream = StreamLogHandler.standardError(label: label)
  }

  func log(event: LogEvent) {
    let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }
    // Who reads the journal as text sees only the message.
    let told = values.map { " \($0.key)=\($0.value)" }.joined()
    let priority = JournalLogHandler.priority(of: event.level)
    var record = JournalRecord("\(event.message)\(told)", priority: priority)
    for (name, value) in values { record.add(own: name.uppercased(), "\(value)") }
    let isSent = record.octets.withUnsafeBytes { octets in
      octets.baseAddress.map { clinux_send_datagram(descriptor, JournalLogHandler.path, $0, octets.count) }
    }
    if isSent != true { stream.log(event: event) }
  }

  /// As syslog numbers them.
  private static func priority(of level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
