internal import WatchwordVocabulary

/// Where a passphrase of the vault, of an export or of the lock comes from: a descriptor, an askpass program
/// or the terminal.
struct PassphraseSource {
  /// What it opens.
  var place: String
  var source = SecretSource()

  init(place: String = "vault") { self.place = place }

  /// Whether a person or a program is asked.
  var isAsking: Bool { source.passwordDescriptor == nil }

  /// The passphrase of what has one.
  func passphrase() throws(Failure) -> Secret {
    if let given = try source.given() { return given.secret }
    return try ask("Passphrase")
  }

  /// Waits until no other process asks on the terminal. False when the terminal is not asked.
  func beginDialog() throws(Failure) -> Bool {
    guard isAsking, source.askpass == nil, let terminal = Terminal() else { return false }
    do throws(ClientError) { return try terminal.beginDialog() } catch { throw Failure(error) }
  }

  /// A new one; a person types it twice.
  func newPassphrase() throws(Failure) -> Secret {
    if let given = try source.given() { return try checked(given.secret) }
    let isBegun = try beginDialog()
    defer { if isBegun { TerminalTurn.end() } }
    let first = try checked(try ask("Passphrase"))
    guard source.askpass == nil else { return first }
    guard try ask("Passphrase again") == first else { throw Failure("the two passphrases differ") }
    return first
  }

  private func checked(_ passphrase: Secret) throws(Failure) -> Secret {
    guard !passphrase.isEmpty else { throw Failure("the passphrase is empty") }
    return passphrase
  }

  private func ask(_ wanted: String) throws(Failure) -> Secret {
    CoreDumps.forbid()
    if let askpass = source.askpass {
      let prompt = AskpassPrompt(key: place).passphrase(called: wanted)
      if let answer = try Askpass(program: askpass).ask(prompt) { return answer }
    } else if let terminal = Terminal() {
      do throws(ClientError) {
        if case .line(let line) = try terminal.ask("\(wanted) of the \(place): ", echo: false) {
          return line
        }
      } catch {
        throw Failure(error)
      }
    }
    throw Failure(
      "no passphrase", hint: "--askpass PROGRAM or --password-fd NUMBER gives it",
      exitCode: .authenticationRefused)
  }
}
