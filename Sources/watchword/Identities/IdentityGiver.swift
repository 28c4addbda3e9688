internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// Gives a session an identity, and asks for the passphrase when its key needs one.
struct IdentityGiver {
  let file: IdentityFile
  /// The file's name, for the question.
  let name: String
  /// Asks instead of the terminal.
  let askpass: String?
  /// Given beforehand; then nobody is asked.
  let passphrase: Secret?

  /// The identity's id.
  func give(to session: String?, through client: WatchwordClient) throws(Failure) -> String {
    var passphrase = passphrase
    for attempt in 0... {
      let given = passphrase
      do throws(ClientError) {
        let result = try client.call("identity/add", reserving: file.size) { writer in
          SessionScope.write(session, to: &writer)
          writer.key("identity")
          file.write(to: &writer, passphrase: given)
        }
        return result["identity"]?.text ?? ""
      } catch {
        guard self.passphrase == nil, case .refused(let remote) = error, remote.wantsPassphrase else {
          throw Failure(error)
        }
        if passphrase != nil { Diagnostics.report(Failure("the \(file.passphraseName) is wrong")) }
      }
      guard attempt < file.attempts, let answer = try ask() else { break }
      passphrase = answer
    }
    throw Failure(
      "the key of \(DisplayText.escaped(name)) needs its \(file.passphraseName)",
      hint: "--askpass PROGRAM or --password-fd NUMBER gives it", exitCode: .authenticationRefused)
  }

  /// Nil when there is nobody to ask, or nobody wanted to say.
  private func ask() throws(Failure) -> Secret? {
    CoreDumps.forbid()
    let prompt = "\(file.passphrasePrompt) of \(DisplayText.escaped(name)): "
    if let askpass { return try Askpass(program: askpass).ask(prompt) }
    guard let terminal = Terminal() else { return nil }
    do throws(ClientError) {
      guard case .line(let line) = try terminal.ask(prompt, echo: false, watching: -1, stillWanted: { true })
      else { return nil }
      return line.isEmpty ? nil : line
    } catch {
      throw Failure(error)
    }
  }
}

extension RemoteError {
  fileprivate var wantsPassphrase: Bool {
    guard kind == "credentialUnusable", let reason = data["reason"]?.text else { return false }
    return reason == "passphraseNeeded" || reason == "wrongPassphrase"
  }
}
