internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword config show`: the settings of the daemon that runs.
struct ConfigShowCommand: Command {
  static let name = "config show"
  static let summary = "show the running daemon's settings and their file"
  static let synopsis = "[options]"
  static let about = """
    Shows the settings that the running daemon uses, and the file that they are from. Changes of the file \
    since it was read last do not show: "watchword reload" has it read again.
    """
  static let example = "watchword config show"
  static var options: [Option<ConfigShowCommand>] {
    [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let reply = try daemon.connect().askReply(Request.ServerConfiguration())
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : Self.text(of: reply.result))
    return .success
  }

  private static func text(of configuration: Sent.ServerConfiguration) -> String {
    let path = configuration.path.map { DisplayText.escaped($0) } ?? "none"
    let origin = configuration.isGiven ? "given with --configuration" : "your own"
    var text = "file: \(path) (\(configuration.isRead ? origin : "does not exist"))\n"
    for member in configuration.members {
      let isSet = member.value.node?.isNull == false
      let value = isSet ? DisplayText.escaped(JSONText.of(member.value), longest: 1000) : "not set"
      text += "  \(DisplayText.escaped(member.name)) \(value)\(member.isDefault ? " (default)" : "")\n"
    }
    return text
  }
}

/// `watchword config check`: has a daemon of its own read a configuration file, and say what is wrong in it.
struct ConfigCheckCommand: Command {
  static let name = "config check"
  static let summary = "check a configuration file, without a daemon"
  static let synopsis = "[options] [FILE]"
  static let operandsAreOctets = true
  static let about = """
    Says every fault of the daemon's configuration file that shows, with line, column and member, and \
    changes nothing. FILE is your own by default: $XDG_CONFIG_HOME/watchword/config.json, else \
    ~/.config/watchword/config.json. Exit code 1: the daemon would not start with it.
    """
  static var appendix: String { ConfigurationMembers.appendix }
  static let example = "watchword config check ~/new.json"
  static var options: [Option<ConfigCheckCommand>] { [] }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var file: String?

  mutating func take(operand: String) throws(Failure) {
    guard file == nil else { throw .usage("only one file is allowed") }
    file = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let program = DaemonLauncher.findProgram() else {
      throw Failure("watchwordd, which reads the file, is neither beside this program nor in PATH")
    }
    let arguments = [program, "--check-configuration"] + (file.map { ["--configuration", $0] } ?? [])
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup(OctetText.cString($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // It has the standard streams and the exit code of this command.
    execv(OctetText.cString(program), pointers)
    throw Failure("\(program): \(String(cString: strerror(errno)).lowercased())")
  }
}
