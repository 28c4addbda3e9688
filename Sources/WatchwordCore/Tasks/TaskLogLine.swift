package import WatchwordVocabulary

/// What the log says of a task that has ended: words, numbers and an origin, and nothing of a path, a query,
/// a field or a body, in which secrets may be.
package struct TaskLogLine: Equatable, Sendable {
  package enum LoggedEnd: Equatable, Sendable {
    case status(Int)
    case failure(ErrorKind)
  }

  private let method: String
  private let origin: Origin
  private let outcome: LoggedEnd
  private let milliseconds: Int
  private let session: String
  private let task: String
  private let program: String?
  private let traceContext: TraceContext?

  /// - Parameters:
  ///   - method: of the request.
  ///   - origin: of its last URL.
  ///   - seconds: from its start to its end, with the time in which it waited for replies.
  ///   - program: the path of the caller's program, if it is known.
  package init(
    method: String, origin: Origin, outcome: LoggedEnd, seconds: Double, session: String, task: String,
    program: String?, traceContext: TraceContext? = nil
  ) {
    self.method = method
    self.origin = origin
    self.outcome = outcome
    milliseconds = Int(max(0, min(seconds, 1e9)) * 1000)
    self.session = session
    self.task = task
    // Its caller chose it: nothing in it ends the line or begins another field.
    self.program = program.map(DisplayText.quoted)
    self.traceContext = traceContext
  }

  /// Whether the caller has not got what it wanted: an error, or a 401 or 407 that remained.
  package static func isFailure(_ outcome: LoggedEnd) -> Bool {
    switch outcome {
    case .failure: true
    case .status(let status): status == 401 || status == 407
    }
  }

  package var message: String {
    switch outcome {
    case .status(let status): "\(method) \(origin) \(status)"
    case .failure(let kind): "\(method) \(origin) \(kind.rawValue)"
    }
  }

  /// Names and values, for a line and for records of the journal.
  package var fields: [(name: String, value: String)] {
    let digits = String(milliseconds % 1000)
    let seconds = "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
    return [("session", session), ("task", task), ("seconds", seconds)]
      + (program.map { [("program", $0)] } ?? [])
      + (traceContext.map { [(TraceContext.fieldName, $0.text)] } ?? [])
  }
}
