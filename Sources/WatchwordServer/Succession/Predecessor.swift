internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// The daemon that has started this one to follow it, on the other end of a pair of sockets.
package final class Predecessor {
  /// Its process id is in the environment.
  static let variable = "WATCHWORD_PREDECESSOR"
  static let socketMark = UInt8(ascii: "L")
  static let stateMark = UInt8(ascii: "S")
  private static let readyMark = UInt8(ascii: "R")
  private static let faultMark = UInt8(ascii: "F")
  static let takenMark = UInt8(ascii: "T")
  private static let maximumFaultBytes = 4096

  /// Nil once the other one has ended.
  private var connection: Int32?

  private init(_ connection: Int32) { self.connection = connection }

  /// Nil unless a daemon has started this one. Call before there are threads, which may read the environment.
  package static func ofProcess() -> Predecessor? {
    guard let text = getenv(variable) else { return nil }
    let process = pid_t(String(cString: text))
    let place = Int32(CLINUX_PREDECESSOR)
    unsetenv(variable)
    var (pid, uid, gid) = (pid_t(0), uid_t(0), gid_t(0))
    guard let process, process == getppid(),
      clinux_peer_credentials(place, &pid, &uid, &gid), pid == process, fcntl(place, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    return Predecessor(place)
  }

  /// Says why this daemon cannot serve: the other one goes on.
  package func refuse(because text: String) {
    say(
      Predecessor.faultMark, String(decoding: text.utf8.prefix(Predecessor.maximumFaultBytes), as: UTF8.self))
  }

  private func say(_ mark: UInt8, _ text: String) {
    guard let connection else { return }
    let bytes = [mark] + Array(text.utf8)
    _ = clinux_send(connection, bytes, bytes.count, nil, 0, true)
  }

  /// What a successor has said, which is there to be read; nil when it can serve.
  static func fault(in connection: Int32) -> Successor.SuccessionFault? {
    var bytes = [UInt8](repeating: 0, count: 1 + maximumFaultBytes)
    let count = recv(connection, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return .notReady }
    switch bytes[0] {
    case readyMark: return nil
    case faultMark: return .refused(String(decoding: bytes[1..<count], as: UTF8.self))
    default: return .notReady
    }
  }

  /// Says that this daemon can serve, and waits until the other one has ended.
  ///
  /// - Returns: What it gave; nil when it goes on, or has ended without giving anything.
  package func inheritance() -> Inheritance? {
    // Since before this process was protected from it: what comes would be read.
    guard !clinux_is_traced() else {
      refuse(because: "another process traces it")
      return nil
    }
    say(Predecessor.readyMark, "")
    guard let connection = connection.take() else { return nil }
    defer { close(connection) }
    return StateReading(connection).inheritance()
  }

  static var clocks: DaemonState.Clocks {
    DaemonState.Clocks(now: EventLoop.monotonicSeconds(), wallClock: Clock.wallSeconds())
  }
}
