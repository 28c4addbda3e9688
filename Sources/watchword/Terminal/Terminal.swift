internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// The controlling terminal, where a person is asked: `/dev/tty`, regardless of standard input.
///
/// A signal during a question takes effect only after the terminal shows typed text again; after ^Z and `fg`
/// the question is asked again.
struct Terminal: ~Copyable {
  /// The kernel's limit of an edited line (`N_TTY_BUF_SIZE`).
  private static let longestLine = 4096

  /// How a question ended.
  enum Answer {
    case line(Secret)
    /// End of input (^D), or the line cannot be read.
    case none
    /// `stillWanted` returned false: another process has answered.
    case notWanted
  }

  private let descriptor: Descriptor

  /// nil when the process has no terminal.
  init?() {
    guard let descriptor = Descriptor.opened("/dev/tty", O_RDWR | O_NOCTTY), isatty(descriptor.number) == 1
    else { return nil }
    self.descriptor = descriptor
  }

  func show(_ text: String) { Output.write(text, to: descriptor.number) }

  /// Begins a dialog of several lines: no other process asks on this terminal until `endDialog`.
  ///
  /// - Returns: False, without a dialog, when the question was answered meanwhile.
  func beginDialog(
    stillWanted: () throws(ClientError) -> Bool = { true }
  ) throws(ClientError) -> Bool {
    TerminalTurn.begin(on: descriptor.number)
    do throws(ClientError) {
      if try stillWanted() { return true }
      endDialog()
      return false
    } catch {
      endDialog()
      throw error
    }
  }

  func endDialog() { TerminalTurn.end() }

  /// Asks for a line; `echo` says whether it is shown while it is typed.
  ///
  /// - Parameter takesOctets: whether the line may be other than UTF-8.
  ///
  /// While waiting, it calls `stillWanted` whenever `watched` is readable.
  func ask(
    _ prompt: String, echo: Bool, takesOctets: Bool = false, watching watched: Int32 = -1,
    stillWanted: () throws(ClientError) -> Bool = { true }
  ) throws(ClientError) -> Answer {
    guard try beginDialog(stillWanted: stillWanted) else { return .notWanted }
    defer { endDialog() }
    let signals = CaughtSignals()
    defer { signals.release() }
    while true {
      let modes = echo ? nil : hideInput()
      show(prompt)
      let outcome: Result<Answer?, ClientError>
      do throws(ClientError) {
        outcome = .success(try readLine(signals, watching: watched, stillWanted: stillWanted))
      } catch {
        outcome = .failure(error)
      }
      if var modes { tcsetattr(descriptor.number, TCSAFLUSH, &modes) }
      switch try outcome.get() {
      case .line(let line) where !takesOctets && !line.isUTF8:
        show("\nthat is not UTF-8: the terminal has another encoding\n")
        continue
      case .some(let answer):
        // What is said next begins a line.
        if case .none = answer { show("\n") }
        return answer
      case nil: break
      }
      TerminalTurn.leave()
      signals.deliver { TerminalTurn.acquire(on: descriptor.number) }
    }
  }

  /// nil after a signal.
  private func readLine(
    _ signals: CaughtSignals, watching watched: Int32, stillWanted: () throws(ClientError) -> Bool
  ) throws(ClientError) -> Answer? {
    var line = [UInt8](repeating: 0, count: Self.longestLine)
    defer {
      line.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    while true {
      let ready = signals.wait(for: descriptor.number, watched)
      if ready < 0 {
        if signals.arrived { return nil }
        continue
      }
      if ready & 2 != 0, try !stillWanted() {
        show("\n")
        return .notWanted
      }
      guard ready & 1 != 0 else { continue }
      let count = read(descriptor.number, &line, line.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return Answer.none }
      let text = line.prefix(count)
      return .line(Secret(text.last == UInt8(ascii: "\n") ? text.dropLast() : text))
    }
  }

  /// Switches echo off and returns the modes to restore.
  private func hideInput() -> termios? {
    var modes = termios()
    guard tcgetattr(descriptor.number, &modes) == 0 else { return nil }
    var hidden = modes
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
    tcsetattr(descriptor.number, TCSAFLUSH, &hidden)
    return modes
  }
}

/// Defers the signals that would end or stop the program while the terminal hides the typed text.
///
/// They are blocked except during a wait, so that none can arrive between a check and the wait.
final class CaughtSignals {
  /// Those that end or stop a program.
  static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// The signal that arrived last; written by the handler, which runs on this thread and only during `wait`.
  private nonisolated(unsafe) static var last: sig_atomic_t = 0

  private let numbers: [Int32]
  private var maskBefore = sigset_t()
  private var actionsBefore: [sigaction] = []

  init(_ numbers: [Int32] = CaughtSignals.ending) {
    self.numbers = numbers
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in numbers { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &maskBefore)
    install()
  }

  /// Waits until one of the two can be read, as `caller_wait`; -1 when a signal arrived.
  func wait(for first: Int32, _ second: Int32, milliseconds: Int32 = -1) -> Int32 {
    caller_wait(first, second, milliseconds, &maskBefore)
  }

  var arrived: Bool { Self.last != 0 }

  /// Whether this one has arrived, which is done with then.
  func consume(_ number: Int32) -> Bool {
    guard Self.last == number else { return false }
    Self.last = 0
    return true
  }

  /// Gives the signal its previous effect; returns if that was to stop and continue, after what is done then.
  func deliver(then resume: () -> Void) {
    let number = Self.last
    Self.last = 0
    deliver(number, then: resume)
  }

  /// The same with a signal that has not arrived.
  func deliver(_ number: Int32, then resume: () -> Void) {
    restore()
    raise(number)
    var blocked = sigset_t()
    sigprocmask(SIG_SETMASK, &maskBefore, &blocked)
    resume()
    sigprocmask(SIG_SETMASK, &blocked, nil)
    install()
  }

  func release() {
    restore()
    sigprocmask(SIG_SETMASK, &maskBefore, nil)
  }

  private func install() {
    actionsBefore = numbers.map { number in
      var action = sigaction()
      var before = sigaction()
      action.__sigaction_handler.sa_handler = { CaughtSignals.last = $0 }
      sigaction(number, &action, &before)
      // A signal that was ignored, as under nohup, stays ignored.
      if before.isIgnored { sigaction(number, &before, nil) }
      return before
    }
  }

  private func restore() {
    for (number, action) in zip(numbers, actionsBefore) {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Prevents core dumps, which could write a secret to disk.
enum CoreDumps {
  /// Call it before a secret is in memory. Other processes of the same user may still inspect this one, and
  /// must: the daemon reads from `/proc` which program is waiting.
  static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
