internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives
internal import WatchwordSecret

/// A program that asks in place of the terminal, with an ``AskpassPrompt`` as its argument, as for ssh.
///
/// This program runs it with the rights of the caller; the daemon never does. Its output up to the first newline is
/// the answer; an exit status other than 0 means that the person gave none.
struct Askpass {
  let program: String

  /// nil when the program gave no answer.
  ///
  /// - Parameter takesOctets: whether the answer may be other than UTF-8.
  func ask(_ question: String, takesOctets: Bool = false) throws(Failure) -> Secret? {
    guard let path = resolved() else { throw failure("is not in PATH") }
    guard let pipe = Pipe() else { throw failure(Output.lastError) }
    guard let pid = ChildProcess.start(path, [question], output: pipe.writing, isDetached: false)
    else { throw failure(Output.lastError) }
    let reading = pipe.keepReading()
    var status: Int32 = 0
    do throws(Failure) {
      let answer = try SecretReader.output(from: reading, named: "its output", takesOctets: takesOctets)
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      return status == 0 ? answer : nil
    } catch {
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      throw failure(error.message ?? "failed")
    }
  }

  /// The path of the program, found as a shell finds a command.
  private func resolved() -> String? {
    if program.contains("/") { return program }
    return (SocketPath.environment("PATH") ?? "").split(separator: ":").lazy
      .map { "\($0)/\(program)" }.first { access(OctetText.cString($0), X_OK) == 0 }
  }

  private func failure(_ reason: String) -> Failure {
    Failure("askpass program \(DisplayText.escaped(program)): \(reason)")
  }
}
