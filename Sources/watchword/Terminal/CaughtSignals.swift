internal import CLinux
internal import Glibc

/// Defers the signals that would end or stop the program while the terminal hides the typed text.
///
/// They are blocked except during a wait, so that none can arrive between a check and the wait.
final class CaughtSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// The signal that arrived last; written by the handler, which runs on this thread and only during `wait`.
  private nonisolated(unsafe) static var last: sig_atomic_t = 0

  private var maskBefore = sigset_t()
  private var actionsBefore: [sigaction] = []

  init() {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in Self.numbers { sigaddset(&blocked, number) }
    sigprocmask(SIG_BLOCK, &blocked, &maskBefore)
    install()
  }

  /// Waits until one of the two can be read, as `caller_wait`; -1 when a signal arrived.
  func wait(for first: Int32, _ second: Int32) -> Int32 { caller_wait(first, second, -1, &maskBefore) }

  var arrived: Bool { Self.last != 0 }

  /// Gives the signal its previous effect; returns if that was to stop and continue, after what is done then.
  func deliver(then resume: () -> Void) {
    let number = Self.last
    Self.last = 0
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
    actionsBefore = Self.numbers.map { number in
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
    for (number, action) in zip(Self.numbers, actionsBefore) {
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
