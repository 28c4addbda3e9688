import Glibc
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordServer

/// Programs of the administrator's sources (storage.md 9.7.6).
struct HelperProcesses {
  /// In a process that reaps its children as the daemon does: a dead one that stays would keep the runner of the tests
  /// from seeing the end of its own.
  @Test(.timeLimit(.minutes(2))) func aHelperThatHangsIsKilledWithWhatItHasStarted() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      try Self.checkThatEverythingEnds("(echo child >&3; while :; do sleep 1000; done) & wait")
    }
  }

  /// With a parent that has ended, in a session of its own.
  @Test(.timeLimit(.minutes(2))) func whatHasLeftItsGroupEndsAsWell() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      try Self.checkThatEverythingEnds(
        "(setsid sh -c 'echo child >&3; (sleep 1000 & sleep 1000) & sleep 1000' &); sleep 1000")
    }
  }

  /// A FIFO that two processes of a helper write to; it is at its end when both have ended.
  private static func checkThatEverythingEnds(_ script: String) throws {
    var template = Array("/tmp/watchword-helper-XXXXXX".utf8CString)
    let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    let path = directory + "/life"
    defer {
      unlink(path)
      rmdir(directory)
    }
    try #require(mkfifo(path, 0o600) == 0)
    let life = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(life) }
    let script = "exec 3>\"$0\"; " + script
    #expect(throws: SourceFault.timedOut) {
      _ = try HelperProcess.run(["/bin/sh", "-c", script, path], Secret("question\n".utf8), within: 3)
    }
    #expect(everything(of: life) == "child\n")
  }

  /// Nil while a process still has it open.
  private static func everything(of descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, 20_000) > 0 else { return nil }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += buffer[..<count]
    }
  }
}
