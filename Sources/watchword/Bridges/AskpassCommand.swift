internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword askpass`, also as `watchword-askpass`: the program that git and others run to ask for a secret.
struct AskpassCommand: Command {
  static let name = "askpass"
  static let summary = "answer the prompts of git from the vault"
  static let synopsis = "[options] PROMPT"
  static let about = """
    For GIT_ASKPASS, which names a program without arguments: a link to this program called watchword-askpass.
    What git asks about a server is answered from the readable credentials of its origin; where there is none,
    and for every other prompt, the person is asked on the terminal. Nothing is stored.
    """
  static let example = "watchword askpass \"Password for 'https://reader@code.example': \""

  static var options: [Option<AskpassCommand>] {
    [Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 }]
  }

  var daemon = DaemonTarget()
  private var session: String?
  private var prompt: String?

  mutating func take(operand: String) throws(Failure) {
    guard prompt == nil else { throw .usage("only one prompt is allowed") }
    prompt = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let prompt else {
      throw .usage("the prompt is missing", hint: "git gives it to its askpass program")
    }
    let question = GitPrompt(prompt)
    if let question, let answer = try kept(question) {
      return Self.give(answer)
    }
    guard let terminal = Terminal() else {
      throw Failure("no terminal for the prompt", exitCode: .authenticationRefused)
    }
    // What is not known to be no secret is not shown.
    let text = DisplayText.escaped(prompt, longest: 2000)
    let answer: Terminal.Answer
    do throws(ClientError) {
      answer = try terminal.ask(text, echo: question?.wanted == .user)
    } catch {
      throw Failure(error)
    }
    guard case .line(let line) = answer else {
      throw Failure("nothing was entered", exitCode: .authenticationRefused)
    }
    return Self.give(line)
  }

  private func kept(_ question: GitPrompt) throws(Failure) -> Secret? {
    let store = try ReadableStore(try daemon.connect(), url: question.url, session: session)
    guard let found = try store.read(.password, user: question.user, path: question.path),
      !found.secret.containsControlCharacter
    else { return nil }
    switch question.wanted {
    case .password: return found.secret
    case .user: return found.user.map { Secret($0.utf8) }
    }
  }

  private static func give(_ answer: Secret) -> ExitCode {
    answer.withBytes { StandardOutput.writeAll($0) }
    StandardOutput.write("\n")
    return .success
  }
}

/// A prompt of git's: `Username for 'https://host': ` or `Password for 'https://user@host': `.
struct GitPrompt {
  enum Wanted {
    case user
    case password
  }

  let wanted: Wanted
  /// The origin, as a URL.
  let url: String
  /// Without git's percent-encoding.
  let user: String?
  let path: String?

  /// Nil for any other prompt.
  init?(_ prompt: String) {
    if prompt.hasPrefix("Username for '") {
      wanted = .user
    } else if prompt.hasPrefix("Password for '") {
      wanted = .password
    } else {
      return nil
    }
    var rest = prompt.dropFirst("Username for '".count)
    guard rest.hasSuffix("': ") else { return nil }
    rest = rest.dropLast(3)
    let scheme = rest.prefix { $0 != ":" }
    guard ["http", "https"].contains(scheme), rest.dropFirst(scheme.count).hasPrefix("://") else {
      return nil
    }
    rest = rest.dropFirst(scheme.count + 3)
    let authority = rest.prefix { $0 != "/" }
    let tail = rest.dropFirst(authority.count)
    // git encodes an @ of the user.
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard let host = parts.last, parts.count <= 2, GitAttributes.isHost(host) else { return nil }
    if parts.count == 2 {
      guard let user = GitPrompt.decoded(parts[0]) else { return nil }
      self.user = user
    } else {
      user = nil
    }
    url = "\(scheme)://\(host)/"
    path = tail.utf8.count > 1 ? String(tail) : nil
  }

  /// Nil for what is encoded wrongly, or has a control character.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
        let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
