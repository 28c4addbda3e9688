internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordSecret

/// One run of a program that reads a question and writes an answer; blocks for as long as `seconds`.
enum HelperProcess {
  /// Helpers may ask a server.
  static let seconds = 20.0

  /// The process groups of those that run; nil when the daemon ends and no other may start.
  private static let running = Locked<Set<pid_t>?>([])

  /// The daemon ends: they end with whatever they have started, and their results come to nothing.
  static func endAll() {
    running.withLock { groups in
      for group in groups ?? [] { kill(-group, SIGKILL) }
      groups = nil
    }
  }

  /// - Returns: What it has written up to its end.
  static func run(
    _ command: [String], _ question: Secret, within seconds: Double = HelperProcess.seconds
  ) throws(SourceFault) -> Secret {
    guard let program = command.first else { throw .notStarted }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var connection: Int32 = -1
    let process = running.withLock { groups in
      guard groups != nil else { return pid_t(-1) }
      let process = clinux_spawn_helper(program, &arguments, &connection)
      if process > 0 { groups?.insert(process) }
      return process
    }
    guard process > 0 else { throw .notStarted }
    defer {
      running.withLock { _ = $0?.remove(process) }
      close(connection)
    }
    let deadline = now() + seconds
    // The question fits into the socket's buffer; a program that does not want it may still answer.
    _ = question.withBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(connection, Int32(SHUT_WR))
    do throws(SourceFault) {
      return try SourceBytes.all { buffer throws(SourceFault) in
        try waitForBytes(connection, until: deadline)
        let count = recv(connection, buffer.baseAddress, buffer.count, 0)
        // It ended without reading the question.
        return count < 0 && errno == ECONNRESET ? 0 : count
      }
    } catch {
      // It has a process group of its own, with whatever it has started.
      kill(-process, SIGKILL)
      throw error
    }
  }

  private static func waitForBytes(_ connection: Int32, until deadline: Double) throws(SourceFault) {
    while true {
      let rest = deadline - now()
      guard rest > 0 else { throw .timedOut }
      var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let count = poll(&watched, 1, Int32(rest * 1000) + 1)
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .unreadable }
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
