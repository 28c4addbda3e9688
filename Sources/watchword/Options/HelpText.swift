internal import WatchwordOptions

/// Formats the help for a person: purpose, options, and an example last.
enum HelpText {
  static var overview: String {
    let names = CommandTable.entries.map { ($0.name, $0.summary) }
    return """
      Fetch over HTTP through one daemon per user. A session keeps the passwords and tokens that servers
      have accepted, for all its processes.

      usage: watchword COMMAND [options] [operands]

      \(HelpColumns.text(names + [("help [COMMAND]", "show this text, or the help of a command")]))

      A command starts watchwordd when none is running. The daemon logs to watchwordd.log in the directory
      of its socket, which watchword status shows.

      exit codes, from 6 on curl's:
      \(ExitCode.allCases.map(row).joined(separator: "\n"))

      example:
        watchword fetch https://intranet.example/q3.csv -o q3.csv

      """
  }

  private static func row(_ code: ExitCode) -> String {
    "  \(code.rawValue < 10 ? " " : "")\(code.rawValue)  \(code.meaning)"
  }

  static func of<Verb: Command>(_ type: Verb.Type) -> String {
    let options = (Verb.options + Verb.daemonOptions).map(\.helpRow)
    return """
      \(Verb.about)

      usage: watchword \(Verb.name)\(Verb.synopsis.isEmpty ? "" : " " + Verb.synopsis)

      \(HelpColumns.text(options + [("-h, --help", "this text")]))

      example:
        \(Verb.example.split(separator: "\n").joined(separator: "\n  "))

      """
  }
}
