internal import Glibc

/// The right of one process to ask on a terminal: two that read lines read each other's answers.
///
/// It is a lock on the terminal's device, which ends with the process. `watchword.sh` takes the same one.
/// Where the device cannot be opened, as in another account's terminal, there is none. Of one thread.
enum TerminalTurn {
  /// Dialogs that are in one another, as a PIN is in the choice of a certificate.
  private nonisolated(unsafe) static var depth = 0
  private nonisolated(unsafe) static var lock: Int32 = -1

  /// `TIOCGDEV`, which is no constant for Swift: the number of the device behind `/dev/tty`.
  private static let deviceRequest: UInt = 0x8004_5432
  /// Major numbers of devices: pseudo-terminals have no entry in sysfs.
  private static let pseudoTerminals: UInt32 = 136

  private static let notice = "\nanother program asks on this terminal: waiting for its end\n"

  /// Waits until no other process asks on the terminal, and says so; `end` must follow.
  static func begin(on terminal: Int32) {
    depth += 1
    guard depth == 1 else { return }
    lock = device(of: terminal)
    acquire(on: terminal)
  }

  static func end() {
    depth -= 1
    guard depth == 0, lock >= 0 else { return }
    close(lock)
    lock = -1
  }

  /// Lets others ask until `acquire`: this process may be stopped.
  static func leave() {
    if lock >= 0 { flock(lock, LOCK_UN) }
  }

  static func acquire(on terminal: Int32) {
    guard lock >= 0 else { return }
    var hasWaited = false
    var mayStop = true
    while true {
      if flock(lock, LOCK_EX | LOCK_NB) != 0 {
        // A file system without locks: then there is no turn.
        guard errno == EWOULDBLOCK || errno == EINTR else { return }
        if !hasWaited { Output.write(notice, to: terminal) }
        hasWaited = true
        if flock(lock, LOCK_EX) != 0 {
          guard errno == EINTR else { return }
          continue
        }
      }
      // A read in the background would stop this process with the lock.
      guard mayStop, tcgetpgrp(terminal) != getpgrp() else { break }
      flock(lock, LOCK_UN)
      kill(0, SIGTTIN)
      // Where it was ignored, the read fails.
      mayStop = tcgetpgrp(terminal) == getpgrp()
    }
    // What was typed for another question.
    if hasWaited { tcflush(terminal, TCIFLUSH) }
  }

  /// `/dev/tty` is one file for all terminals; the lock is on the one behind it. -1 when it cannot be opened.
  private static func device(of terminal: Int32) -> Int32 {
    var number: UInt32 = 0
    guard ioctl(terminal, deviceRequest, &number) == 0 else { return -1 }
    let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00)
    let name =
      major == pseudoTerminals
      ? "pts/\(minor)" : link("/sys/dev/char/\(major):\(minor)")?.split(separator: "/").last.map(String.init)
    guard let name else { return -1 }
    return open("/dev/\(name)", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  }

  private static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
