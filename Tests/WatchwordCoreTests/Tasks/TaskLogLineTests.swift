import Testing
import WatchwordCore
import WatchwordVocabulary

/// What the log says of tasks.
@Suite struct TaskLogLineTests {
  private static func line(
    _ outcome: TaskLogLine.LoggedEnd = .status(200), seconds: Double = 1.0625, program: String? = nil
  ) -> TaskLogLine {
    TaskLogLine(
      method: "PUT", origin: Origin(scheme: .https, host: "a.test", port: 443), outcome: outcome,
      seconds: seconds, session: "reports", task: "t1", program: program)
  }

  @Test func itSaysHowATaskEnded() {
    #expect(Self.line().message == "PUT https://a.test:443 200")
    #expect(Self.line(.failure(.timedOut)).message == "PUT https://a.test:443 timedOut")
  }

  @Test(arguments: [(1.0625, "1.062"), (0, "0.000"), (-1, "0.000"), (0.0071, "0.007"), (3600.5, "3600.500")])
  func itSaysHowLongATaskTook(seconds: Double, text: String) {
    let fields = Self.line(seconds: seconds).fields
    #expect(fields.map(\.name) == ["session", "task", "seconds"])
    #expect(fields.map(\.value) == ["reports", "t1", text])
  }

  @Test func aProgramsPathIsOneValue() {
    let program = Self.line(program: "/tmp/a b\n\"c\u{1B}").fields.last
    #expect(program?.name == "program")
    #expect(program?.value == #""/tmp/a b\u{a}\"c\u{1b}""#)
  }

  @Test func aTraceIsAField() {
    let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let line = TaskLogLine(
      method: "GET", origin: Origin(scheme: .https, host: "a.test", port: 443), outcome: .status(200),
      seconds: 1, session: "s", task: "t", program: nil, traceContext: TraceContext(text))
    #expect(line.fields.last.map { [$0.name, $0.value] } == ["traceparent", text])
  }

  @Test func aRefusalThatRemainedIsAFailure() {
    #expect([401, 407].allSatisfy { TaskLogLine.isFailure(.status($0)) })
    #expect(![200, 304, 400, 403, 404, 500].contains { TaskLogLine.isFailure(.status($0)) })
    #expect(TaskLogLine.isFailure(.failure(.taskCancelled)))
  }
}
