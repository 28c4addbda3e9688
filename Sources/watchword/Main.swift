internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword`: fetches through the daemon, answers its challenges and shows what it is doing.
///
/// No Foundation and no shared library: a shell starts this program once per fetch, so starting must cost
/// less than it saves.
@main
enum Main {
  static func main() {
    clinux_reserve_standard_descriptors()
    signal(SIGPIPE, SIG_DFL)
    do throws(Failure) {
      exit(try run(try arguments()[...]).rawValue)
    } catch {
      Diagnostics.report(error)
      exit(error.exitCode.rawValue)
    }
  }

  private static func arguments() throws(Failure) -> [String] {
    do throws(ProgramArguments.ArgumentsFault) {
      let given = try ProgramArguments.read()
      return command(named: given.first) + given.dropFirst()
    } catch {
      throw .usage(error.text)
    }
  }

  /// The command that the program's own name stands for: other tools run a program, not a command of one.
  private static func command(named name: String?) -> [String] {
    switch name?.split(separator: "/").last {
    case "docker-credential-watchword": [DockerCredentialCommand.name]
    case "watchword-askpass": [AskpassCommand.name]
    default: []
    }
  }

  private static func run(_ arguments: ArraySlice<String>) throws(Failure) -> ExitCode {
    switch arguments.first {
    case nil:
      Diagnostics.write(HelpText.overview)
      return .usage
    case "--version", "-V", "version":
      StandardOutput.write("watchword \(Version.text)\n")
      return .success
    case "--help", "-h":
      StandardOutput.write(HelpText.overview)
      return .success
    case "help":
      return try help(arguments.dropFirst())
    case .some(let word):
      guard let (entry, words) = CommandTable.find(arguments) else {
        return try showCommands(of: word, arguments)
      }
      // A verb that its noun does not have.
      let rest = arguments.dropFirst(words)
      if words == 1, let verb = rest.first, !entry.takesOperands, !verb.hasPrefix("-"),
        !CommandTable.commands(of: word).isEmpty
      {
        throw unknown(arguments, word: "\(word) \(verb)")
      }
      return try entry.run(rest)
    }
  }

  private static func help(_ topic: ArraySlice<String>) throws(Failure) -> ExitCode {
    guard let word = topic.first else {
      StandardOutput.write(HelpText.overview)
      return .success
    }
    guard let (entry, _) = CommandTable.find(topic) else { return try showCommands(of: word, topic) }
    StandardOutput.write(entry.help())
    return .success
  }

  /// Of a noun without a verb that is no command itself.
  private static func showCommands(of noun: String, _ arguments: ArraySlice<String>) throws(Failure)
    -> ExitCode
  {
    let commands = CommandTable.commands(of: noun)
    let rest = arguments.dropFirst()
    guard !commands.isEmpty, rest.isEmpty || ["--help", "-h"].contains(rest.first) else {
      throw unknown(arguments)
    }
    let texts = [HelpText.list(commands)] + commands.map(\.appendix).filter { !$0.isEmpty }
    StandardOutput.write("usage: watchword \(noun) COMMAND\n\n\(texts.joined(separator: "\n\n"))\n")
    return .success
  }

  /// What people of other programs type.
  private static let guesses = [
    "history": "credentials history", "ls": "sessions", "list": "sessions", "login": "credentials set URL",
    "logout": "credentials remove URL", "get": "fetch URL", "curl": "fetch URL", "add": "credentials set URL",
    "kill": "shutdown", "stop": "shutdown", "log": "credentials history",
  ]

  /// - Parameter word: what of them is no command; nil: the first one.
  private static func unknown(_ arguments: ArraySlice<String>, word: String? = nil) -> Failure {
    let word = DisplayText.escaped(word ?? arguments.first ?? "")
    if word.hasPrefix("-") {
      return .usage(
        "\(word) stands in front of the command",
        hint: "watchword COMMAND, then its options: see watchword help")
    }
    let isURL = word.utf8.contains(UInt8(ascii: "/")) || word.utf8.contains(UInt8(ascii: "."))
    if let meant = guesses[word] {
      return .usage("unknown command \(word)", hint: "did you mean watchword \(meant)?")
    }
    let hint =
      isURL
      ? "watchword fetch \(word) fetches it"
      : CommandTable.nearest(to: arguments).map { "did you mean watchword \($0)?" } ?? "see watchword help"
    return .usage("unknown command \(word)", hint: hint)
  }
}
