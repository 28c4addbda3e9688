internal import CLinux
internal import Glibc
internal import WatchwordMessages

/// Leads the screen of `status --watch`: the terminal, the daemon and the clock in, lines out.
final class StatusWatch {
  /// Between two drawings that no key has asked for, however fast the daemon sends.
  private static let leastSeconds = 0.25

  private let terminal: ScreenTerminal
  private let daemon: DaemonTarget
  private let feed: StatusFeed
  private var screen: WatchScreen
  private var history = StatusHistory()
  private var keys = KeyReader()
  private var isQuitting = false
  /// When the one that is counted ends.
  private var second = 0.0
  /// When it is drawn; nil: it shows what there is.
  private var drawing: Double? = 0
  private var drawn = 0.0

  init(on terminal: ScreenTerminal, _ client: WatchwordClient, _ daemon: DaemonTarget) throws(Failure) {
    self.terminal = terminal
    self.daemon = daemon
    feed = try StatusFeed(client)
    screen = WatchScreen(hasBlocks: ScreenTerminal.isUnicode, feed.first, at: MonotonicClock.seconds)
    history.note(feed.first)
  }

  func run() throws(Failure) -> ExitCode {
    var signals = CaughtSignals(CaughtSignals.ending + [SIGWINCH])
    defer { signals.release() }
    terminal.enter()
    defer { terminal.leave() }
    second = MonotonicClock.seconds + 1
    while !isQuitting {
      drawIfDue()
      let left = min(second, drawing ?? second) - MonotonicClock.seconds
      let ready = signals.wait(
        for: terminal.number, feed.number, milliseconds: Int32((max(0, left) * 1000).rounded(.up)))
      if signals.arrived {
        deliver(signals)
      } else if ready == 0 {
        endSecond()
      }
      if ready > 0, ready & 2 != 0 { try receive() }
      if ready > 0, ready & 1 != 0 {
        guard let bytes = terminal.typed() else { break }
        for key in keys.keys(in: bytes) { press(key, &signals) }
      }
    }
    return .success
  }

  // MARK: Events

  private func receive() throws(Failure) {
    try feed.receive()
    guard let snapshot = feed.takeLatest() else { return }
    screen.receive(snapshot, at: MonotonicClock.seconds)
    history.note(snapshot)
    drawSoon()
  }

  /// Call it when all that came has been read: what was counted while the program was stopped, or a challenge
  /// was answered, belongs to the seconds of that time.
  private func endSecond() {
    let over = MonotonicClock.seconds - second
    guard over >= 0 else { return }
    let count = 1 + Int(min(over, 1e6))
    second += Double(count)
    history.tick(count)
    drawSoon()
  }

  private func press(_ key: WatchScreen.Key, _ signals: inout CaughtSignals) {
    drawing = 0
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

  /// A window of another size is drawn again; what ends or stops a program does so on the screen of before.
  private func deliver(_ signals: CaughtSignals) {
    drawing = 0
    if !signals.consume(SIGWINCH) { leave { signals.deliver {} } }
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

  // MARK: Drawing

  private func drawSoon() { drawing = min(drawing ?? .infinity, drawn + Self.leastSeconds) }

  private func drawIfDue() {
    let now = MonotonicClock.seconds
    guard let drawing, drawing <= now else { return }
    self.drawing = nil
    drawn = now
    terminal.draw(screen.lines(in: terminal.size, history, at: now))
  }
}

/// Keys in the bytes of a terminal, whose sequences may come in pieces.
struct KeyReader {
  private static let sequences: [String: WatchScreen.Key] = [
    "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown,
    "[H": .first, "OH": .first, "[1~": .first, "[7~": .first,
    "[F": .last, "OF": .last, "[4~": .last, "[8~": .last,
  ]
  /// What no terminal sends is longer.
  private static let longest = 16

  /// Behind an escape byte; nil: none has come.
  private var pending: [UInt8]?

  /// Bytes that are no key are passed over.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [WatchScreen.Key] {
    bytes.compactMap { key(of: $0) }
  }

  /// No time ends a sequence, as a slow line has it in pieces. The escape key alone is followed by a key of
  /// its own, which is told from a sequence: that goes on with `[` or `O`, which are no keys here.
  private mutating func key(of byte: UInt8) -> WatchScreen.Key? {
    guard byte != 0x1B else {
      pending = []
      return nil
    }
    // A control character is in no sequence.
    guard var sequence = pending, byte >= 0x20 else { return other(byte) }
    guard !sequence.isEmpty || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") else {
      return other(byte)
    }
    sequence.append(byte)
    // A letter or ~ ends it.
    let isEnd = sequence.count > 1 && (0x40...0x7E).contains(byte)
    pending = isEnd || sequence.count >= Self.longest ? nil : sequence
    return isEnd ? Self.sequences[String(decoding: sequence, as: UTF8.self)] : nil
  }

  /// Of a byte outside of a sequence.
  private mutating func other(_ byte: UInt8) -> WatchScreen.Key? {
    pending = nil
    return switch byte {
    case UInt8(ascii: "k"): .up
    case UInt8(ascii: "j"): .down
    case UInt8(ascii: "b"): .pageUp
    case UInt8(ascii: " "): .pageDown
    case UInt8(ascii: "g"): .first
    case UInt8(ascii: "G"): .last
    case UInt8(ascii: "s"): .sort
    case UInt8(ascii: "a"): .answer
    case 0x0C: .redraw
    case 0x1A: .stop
    case UInt8(ascii: "q"), 0x03, 0x04: .quit
    default: nil
    }
  }
}
