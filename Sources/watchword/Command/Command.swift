internal import WatchwordOptions
internal import WatchwordVocabulary

/// An option of a command.
typealias Option<Settings> = WatchwordOptions.Option<Settings, Failure>

/// One command of the program: its options and texts, and what it does.
protocol Command {
  /// As typed after `watchword`; two words for a command below a noun.
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// The arguments after the name, as `[options] URL`.
  static var synopsis: String { get }
  /// Paragraphs of the help, between synopsis and options.
  static var about: String { get }
  /// What the help has behind the options; empty by default.
  static var appendix: String { get }
  /// A command line to copy, at the end of the help.
  static var example: String { get }
  static var options: [Option<Self>] { get }
  /// The same in groups for the help; one by default.
  static var optionGroups: [(title: String, options: [Option<Self>])] { get }

  var daemon: DaemonTarget { get set }

  init()

  /// Takes an argument that is no option.
  ///
  /// - Parameter operand: as `OctetText` where `operandsAreOctets`, else a text.
  mutating func take(operand: String) throws(Failure)

  /// Whether operands may be other than UTF-8.
  static var operandsAreOctets: Bool { get }

  mutating func run() throws(Failure) -> ExitCode
}

extension Command {
  static var appendix: String { "" }

  static var operandsAreOctets: Bool { false }

  mutating func take(operand: String) throws(Failure) {
    throw .usage(
      "\(Self.name) takes no operand \(DisplayText.escaped(operand))", hint: "see watchword help \(Self.name)"
    )
  }

  static var optionGroups: [(title: String, options: [Option<Self>])] { [("Options", options)] }

  /// The options that choose the daemon: in every command.
  static var daemonOptions: [Option<Self>] {
    [
      Option(
        nil, "socket", "PATH", "the daemon's socket [WATCHWORD_SOCKET, else the user's own]",
        completion: .file, takesOctets: false
      ) { $0.daemon.socket = $1 },
      Option(nil, "no-start", "fail with exit code 5 when no daemon runs, instead of starting one") {
        $0.daemon.mayStart = false
      },
    ]
  }
}
