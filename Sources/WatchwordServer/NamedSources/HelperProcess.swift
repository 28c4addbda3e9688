internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One run of a program that reads a question and writes an answer; blocks for as long as `seconds`.
enum HelperProcess {
  /// Helpers may ask a server.
  static let seconds = 20.0

  /// Those that run, by process group, with their marks; nil when the daemon ends and no other may start.
  private static let running = Locked<[pid_t: String]?>([:])

  /// The daemon ends: they end with whatever they have started, and their results come to nothing.
  static func endAll() {
    let ending = running.withLock { $0.take() ?? [:] }
    for (group, mark) in ending { end(group, mark) }
  }

  private static func end(_ group: pid_t, _ mark: String) {
    kill(-group, SIGKILL)
    clinux_end_marked(mark)
  }

  /// A variable in the environment of one run, which what it starts inherits, also when that leaves the group
  /// and its parents end.
  private static func newMark() -> String {
    "WATCHWORD_HELPER=\(getpid()).\(UInt64.random(in: .min ... .max))"
  }

  /// - Returns: What it has written up to its end.
  static func run(
    _ command: [String], _ question: Secret, within seconds: Double = HelperProcess.seconds
  ) throws(SourceFault) -> Secret {
    guard let program = command.first else { throw .notStarted }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let mark = newMark()
    var connection: Int32 = -1
    let process = running.withLock { groups in
      guard groups != nil else { return pid_t(-1) }
      var text = Array(mark.utf8CString)
      let process = clinux_spawn_helper(program, &arguments, &text, &connection)
      if process > 0 { groups?[process] = mark }
      return process
    }
    guard process > 0 else { throw .notStarted }
    defer {
      running.withLock { _ = $0?.removeValue(forKey: process) }
      close(connection)
    }
    let deadline = EventLoop.monotonicSeconds() + seconds
    // The question fits into the socket's buffer; a program that does not want it may still answer.
    _ = question.withBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(connection, Int32(SHUT_WR))
    do throws(SourceFault) {
      return try SourceText.contents { rest, _ throws(SourceFault) in
        try waitForBytes(connection, until: deadline)
        let count = recv(connection, rest.baseAddress, rest.count, 0)
        // It ended without reading the question.
        return count < 0 && errno == ECONNRESET ? 0 : count
      }
    } catch {
      end(process, mark)
      throw error
    }
  }

  private static func waitForBytes(_ connection: Int32, until deadline: Double) throws(SourceFault) {
    while true {
      let rest = deadline - EventLoop.monotonicSeconds()
      guard rest > 0 else { throw .timedOut }
      var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let count = poll(&watched, 1, Int32(rest * 1000) + 1)
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .unreadable }
    }
  }
}
