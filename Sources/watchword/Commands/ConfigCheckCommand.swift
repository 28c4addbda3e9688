internal import Glibc
internal import WatchwordClient
internal import WatchwordOptions
internal import WatchwordPrimitives

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

  var daemon = DaemonOptions(mayStart: false, isStarter: false)
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
