import Glibc

/// A program that a test started; it is told to end by the end of its standard input.
///
/// It has to close the descriptors that it inherits (`os.closerange`), or other tests' connections stay open, and to live
/// until then: Swift Testing waits for its exit tests by asking for any child that has ended, and would find this one for ever.
final class ChildProcess: Sendable {
  private let output: Int32
  let identifier: pid_t

  private init(output: Int32, identifier: pid_t) {
    self.output = output
    self.identifier = identifier
  }

  /// A program of `Tests/Support/for_swift`.
  static func python(_ module: String) -> ChildProcess {
    let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return start("env", ["-C", tests, "python3", "-m", "Support.for_swift.\(module)"])
  }

  private static func start(_ program: String, _ arguments: [String]) -> ChildProcess {
    var input: [Int32] = [0, 0]
    var output: [Int32] = [0, 0]
    pipe(&input)
    pipe(&output)
    // The other ends stay here: the write end of the input is closed by the end of this process.
    for descriptor in [input[1], output[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    var identifier = pid_t()
    var words = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    let failure = posix_spawnp(&identifier, program, &actions, nil, words, environ)
    precondition(failure == 0, "\(program) cannot be started: \(failure)")
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(input[0])
    close(output[1])
    return ChildProcess(output: output[0], identifier: identifier)
  }

  /// What it prints, up to and with the line `last`.
  func readUntil(_ last: String) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
      if String(decoding: bytes, as: UTF8.self).hasSuffix("\(last)\n") { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
