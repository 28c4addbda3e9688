internal import Logging
internal import WatchwordOptions
internal import WatchwordVocabulary

/// What the daemon's command line says.
struct Arguments {
  private(set) var socket: String?
  private(set) var stateDirectory: String?
  private(set) var configuration: String?
  private(set) var logLevel: Logger.Level?
  private(set) var logFile: String?
  private(set) var idleExit: Double?
  private(set) var wantsVersion = false
  private(set) var wantsHelp = false
  /// Whether the configuration is only checked.
  private(set) var checksConfiguration = false

  static let hint = "see watchwordd --help"
  private static let longestIdleExit = 31_536_000.0

  private typealias Option = WatchwordOptions.Option<Arguments, Failure>

  private static var options: [Option] {
    [
      Option(nil, "socket", "PATH", "the socket to listen on; its directory must be yours alone (mode 0700)")
      {
        $0.socket = $1
      },
      Option(
        nil, "state-directory", "PATH", "where the vault is kept; made for you alone (mode 0700)"
      ) { $0.stateDirectory = $1 },
      Option(
        nil, "configuration", "FILE",
        "a JSON file: who may connect, sources of credentials, policy and more"
          + " [$XDG_CONFIG_HOME/watchword/config.json, else ~/.config/watchword/config.json, where it exists]"
      ) { $0.configuration = $1 },
      Option(nil, "check-configuration", "only say what is wrong in the configuration file, and where") {
        $0.checksConfiguration = true
      },
      Option(nil, "log-level", "LEVEL", levels) { (arguments, text) throws(Failure) in
        guard let level = Logger.Level(rawValue: text) else {
          throw .usage("--log-level is \(levels), not \(DisplayText.escaped(text))")
        }
        arguments.logLevel = level
      },
      Option(
        nil, "log-file", "FILE",
        "log here once it is ready, not to standard error; 2 MiB at most, with FILE.1"
      ) { $0.logFile = $1 },
      Option(
        nil, "idle-exit", "SECONDS", "stop after this time without connections, tasks and held sessions"
      ) { (arguments, text) throws(Failure) in
        guard let seconds = Double(text), (0...longestIdleExit).contains(seconds) else {
          throw .usage(
            "--idle-exit is from 0 to \(Int(longestIdleExit)) seconds, not \(DisplayText.escaped(text))")
        }
        arguments.idleExit = seconds
      },
      Option(nil, "version", "print the version") { $0.wantsVersion = true },
    ]
  }

  private static let levels = "trace, debug, info, notice, warning, error or critical"

  init(_ words: ArraySlice<String>) throws(Failure) {
    let parser = OptionParser(Arguments.options, hint: Arguments.hint)
    wantsHelp = try !parser.parse(words, into: &self) { (_, operand) throws(Failure) in
      throw .usage("takes no operand \(DisplayText.escaped(operand))")
    }
  }

  static var help: String {
    """
    Performs HTTP fetches for other programs, and asks them when a server demands something.

    Prints "listening on PATH" when it is ready. Stops on TERM and INT after running tasks, reads its
    configuration again on HUP, clears its memory on USR1, starts its program again on USR2 and gives it
    the sessions.

    usage: watchwordd [options]

    \(HelpColumns.text(options.map(\.helpRow) + [("-h, --help", "this text")]))

    \(ConfigurationMembers.appendix)

    exit codes: 0 ok, 1 failed, 2 usage

    example:
      watchwordd --socket "$XDG_RUNTIME_DIR/watchword/watchword.sock"

    """
  }
}
