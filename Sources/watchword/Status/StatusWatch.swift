internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages

/// Leads the screen of `status --watch`: the terminal, the daemon and the clock in, lines out.
final class StatusWatch {
  private let terminal: ScreenTerminal
  private let client: WatchwordClient
  private let daemon: DaemonOptions
  /// The same snapshot, with the challenges that only a holder of their sessions is shown.
  private let completed: (Sent.StatusSnapshot) throws(Failure) -> Sent.StatusSnapshot
  private var snapshot: Sent.StatusSnapshot
  private var screen = WatchScreen(hasBlocks: ScreenTerminal.isUnicode)
  private var history = StatusHistory()
  private var keys = KeyReader()
  private var isQuitting = false

  init(
    on terminal: ScreenTerminal, _ client: WatchwordClient, _ daemon: DaemonOptions,
    completed: @escaping (Sent.StatusSnapshot) throws(Failure) -> Sent.StatusSnapshot
  ) throws(Failure) {
    self.terminal = terminal
    self.client = client
    self.daemon = daemon
    self.completed = completed
    snapshot = try completed(try client.ask(Request.Status()))
  }

  func run() throws(Failure) -> ExitCode {
    var latest: Sent.StatusSnapshot?
    client.onNotification = { (notification) throws(ClientError) in
      if case .statusDidChange(let snapshot) = notification { latest = snapshot }
    }
    try client.ask(Request.StatusSubscribe(intervalSeconds: 1))
    history.note(snapshot)
    var signals = CaughtSignals(CaughtSignals.ending + [SIGWINCH])
    defer { signals.release() }
    terminal.enter()
    defer { terminal.leave() }
    var tick = MonotonicClock.seconds + 1
    while !isQuitting {
      draw()
      let left = max(0, tick - MonotonicClock.seconds)
      let ready = signals.wait(
        for: terminal.number, client.number, milliseconds: Int32((left * 1000).rounded(.up)))
      if signals.arrived { deliver(signals) }
      if ready > 0, ready & 2 != 0 { try receive() }
      if let news = latest {
        latest = nil
        snapshot = try completed(news)
        history.note(snapshot)
      }
      if ready > 0, ready & 1 != 0 {
        guard let bytes = terminal.typed() else { break }
        for key in keys.keys(in: bytes) {
          switch screen.press(key) {
          case .draw: break
          case .quit: isQuitting = true
          case .stop: leave { signals.deliver(SIGTSTP) {} }
          case .answer:
            signals.release()
            leave { answer() }
            signals = CaughtSignals(CaughtSignals.ending + [SIGWINCH])
          }
        }
      }
      if MonotonicClock.seconds >= tick {
        tick = MonotonicClock.seconds + 1
        history.tick()
        keys.pause()
      }
    }
    return .success
  }

  private func draw() {
    terminal.draw(screen.lines(of: snapshot, history, in: terminal.size, at: MonotonicClock.seconds))
  }

  private func receive() throws(Failure) {
    do throws(ClientError) {
      try client.receive()
      try client.notify()
    } catch {
      throw Failure(error)
    }
  }

  /// A window of another size is drawn again; what ends or stops a program does so on the screen of before.
  private func deliver(_ signals: CaughtSignals) {
    if !signals.take(SIGWINCH) { leave { signals.deliver {} } }
  }

  private func leave(_ body: () -> Void) {
    terminal.leave()
    body()
    terminal.enter()
  }

  /// As `watchword answer` does; what it says stays until a line is entered.
  private func answer() {
    var command = AnswerCommand()
    command.daemon = daemon
    do throws(Failure) {
      _ = try command.run()
    } catch {
      Diagnostics.report(error)
      terminal.show("press Enter to go on ")
      _ = terminal.typed()
    }
  }
}
