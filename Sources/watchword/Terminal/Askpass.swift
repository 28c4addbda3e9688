internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// A program that asks in place of the terminal, with an ``AskpassPrompt`` as its argument, as for ssh.
///
/// This program runs it with the rights of the caller; the daemon never does. Its output up to the first
/// newline is the answer; an exit status other than 0 means that the person gave none.
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
    return (Environment.value(of: "PATH") ?? "").split(separator: ":").lazy
      .map { "\($0)/\(program)" }.first { access(OctetText.cString($0), X_OK) == 0 }
  }

  private func failure(_ reason: String) -> Failure {
    Failure("askpass program \(DisplayText.escaped(program)): \(reason)")
  }
}

/// The question for an askpass program: `PLACE: WANTED: `, as in messages.md 16.3.
///
/// The place is first, so that no text of a server can precede it; the wanted item is last, where a program
/// can match it regardless of the server's text. The shell client uses the same text.
struct AskpassPrompt {
  /// Origin and remarks, or the name of a key.
  private let place: String

  /// For a credential: `ORIGIN (METHOD[, realm "REALM"][, REMARK]…)`.
  ///
  /// - Parameter ways: what callers have chosen of the way to the server.
  init(_ question: CredentialQuestion, over ways: [String]) {
    var remarks = [DisplayText.escaped(question.method)]
    if let realm = question.realm {
      // A key has a field in place of a realm.
      let isKey = question.method == "key"
      remarks.append(isKey ? "field \(DisplayText.escaped(realm))" : "realm \(DisplayText.quoted(realm))")
    }
    if question.isProxy { remarks.append("proxy") }
    if let host = question.hostField { remarks.append("to \(DisplayText.escaped(host))") }
    if let proxy = question.proxy { remarks.append("through \(DisplayText.escaped(proxy))") }
    remarks += ways.map(CallersWayText.remark)
    if !question.isSecure { remarks.append("over cleartext") }
    if question.error?.kind == "weakerOffer" { remarks.append("weaker than before") }
    if question.wasRefused { remarks.append("refused before") }
    place = "\(DisplayText.escaped(question.origin)) (\(remarks.joined(separator: ", ")))"
  }

  /// For the key of a client certificate: its file or `pkcs11:` URI.
  init(key name: String) { place = DisplayText.escaped(name) }

  /// `proposed` is the user for an empty answer.
  func user(proposed: String?) -> String {
    text("User\(proposed.map { " [\(DisplayText.escaped($0))]" } ?? "")")
  }

  func password(of user: String) -> String { text("Password for \(DisplayText.escaped(user))") }

  var token: String { text("Token") }

  var key: String { text("Key") }

  /// `name` is `Passphrase` or `PIN`.
  func passphrase(called name: String) -> String { text(name) }

  private func text(_ wanted: String) -> String { "\(place): \(wanted): " }
}
