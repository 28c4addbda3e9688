internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives

/// A command that this program waits for: it gets the signals that this program gets.
struct RunningCommand: ~Copyable {
  private let pid: pid_t
  /// Why there is no process, when there is none.
  private let failure: Int32
  private let signals: Descriptor

  /// What a supervisor sends. What a terminal sends reaches the command without us.
  private static let forwarded = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]
  // As a shell says it.
  private static let notFound: Int32 = 127
  private static let notRunnable: Int32 = 126
  private static let signalBase: Int32 = 128

  /// - Parameter socket: what `WATCHWORD_SOCKET` is for the command.
  init(_ command: [String], socket: String) throws(Failure) {
    // Blocked before the command exists: none is lost.
    let caught = RunningCommand.forwarded + [SIGCHLD]
    let number = clinux_signalfd(caught, Int32(caught.count))
    guard number >= 0 else {
      throw Failure("cannot wait for signals: \(String(cString: strerror(errno)).lowercased())")
    }
    signals = Descriptor(owning: number)
    setenv("WATCHWORD_SOCKET", socket, 1)
    // When the restriction has ended, a daemon there would have none.
    setenv("WATCHWORD_NO_START", "1", 1)
    var pointers: [UnsafeMutablePointer<CChar>?] = command.map { strdup(OctetText.cString($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    pid = caller_run(pointers)
    failure = errno
  }

  /// Waits for its end. Reads what the daemon sends meanwhile: it closes a connection that is not read.
  ///
  /// - Returns: its exit status; 128 and the number of a signal that ended it; 127 or 126 if it could not be run.
  consuming func wait(beside client: WatchwordClient) -> Int32 {
    guard pid > 0 else {
      let reason = String(cString: strerror(failure)).lowercased()
      Diagnostics.report(Failure("the command cannot be run: \(reason)"))
      return failure == ENOENT ? RunningCommand.notFound : RunningCommand.notRunnable
    }
    var daemon = client.number
    while true {
      let ready = caller_wait(daemon, signals.number, -1, nil)
      if ready > 0, ready & 1 != 0, !isHeard(client) { daemon = -1 }
      while let signal = next() {
        if signal == SIGCHLD, let status = ended() { return status }
        if RunningCommand.forwarded.contains(signal) { kill(pid, signal) }
      }
    }
  }

  /// The next signal that has to be passed on or says that the command has ended.
  private func next() -> Int32? {
    var isOfKernel: Int32 = 0
    let signal = caller_next_signal(signals.number, &isOfKernel)
    guard signal > 0 else { return nil }
    return isOfKernel != 0 && signal != SIGCHLD ? 0 : signal
  }

  private func ended() -> Int32? {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : RunningCommand.signalBase + signal
  }

  private func isHeard(_ client: WatchwordClient) -> Bool {
    do throws(ClientError) {
      try client.receive()
      try client.notify()
      return true
    } catch {
      Diagnostics.report(Failure("the daemon has gone: the command cannot fetch any more"))
      return false
    }
  }
}
