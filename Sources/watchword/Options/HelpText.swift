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

      exit codes: 0 ok, 1 failed, 2 usage, 3 authentication refused or cancelled, 4 trust refused,
        5 no daemon

      example:
        watchword fetch https://intranet.example/q3.csv -o q3.csv

      """
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
