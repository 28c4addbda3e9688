internal import WatchwordOptions

/// Formats the help for a person: usage and purpose, options, then what else there is to know, and an example
/// last.
enum HelpText {
  static var overview: String {
    let groups = CommandTable.groups.map { "\($0.title):\n\(list($0.entries))" }.joined(separator: "\n\n")
    return """
      Fetch over HTTP through one daemon per user. A session keeps the passwords and
      tokens that servers have accepted, for all its processes.

      usage: watchword COMMAND [options] [operands]

      \(groups)

      \(HelpColumns.text([("help [COMMAND]", "show this text, or the help of a command")]))

      A command starts watchwordd when none is running. The daemon logs to
      watchwordd.log in the directory of its socket, which watchword doctor names.

      exit codes, from 6 on curl's:
      \(ExitCode.allCases.map(row).joined(separator: "\n"))

      example:
        watchword fetch https://intranet.example/q3.csv -o q3.csv

      """
  }

  static func list(_ entries: [CommandTable.ListedCommand]) -> String {
    HelpColumns.text(entries.map { ($0.name, $0.summary) })
  }

  private static func row(_ code: ExitCode) -> String {
    "  \(code.rawValue < 10 ? " " : "")\(code.rawValue)  \(code.meaning)"
  }

  static func of<Verb: Command>(_ type: Verb.Type) -> String {
    let groups = Verb.optionGroups + [("The daemon", Verb.daemonOptions)]
    let options = groups.map { title, options in
      let rows = options.map(\.helpRow) + (title == "The daemon" ? [("-h, --help", "this text")] : [])
      return (Verb.optionGroups.count > 1 ? "\(title):\n" : "") + HelpColumns.text(rows)
    }
    let separator = Verb.optionGroups.count > 1 ? "\n\n" : "\n"
    let about = paragraphs(Verb.about)
    let others = CommandTable.commands(of: Verb.name)
    let parts = [
      "usage: watchword \(Verb.name)\(Verb.synopsis.isEmpty ? "" : " " + Verb.synopsis)", about[0],
      options.filter { !$0.isEmpty }.joined(separator: separator),
      others.isEmpty ? "" : "commands:\n" + list(others),
    ]
    let example = "example:\n  " + Verb.example.split(separator: "\n").joined(separator: "\n  ")
    return (parts + about.dropFirst() + [Verb.appendix, example]).filter { !$0.isEmpty }
      .joined(separator: "\n\n") + "\n"
  }

  /// Those are apart where a line is empty.
  private static func paragraphs(_ text: String) -> [String] {
    var paragraphs = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { paragraphs.append("") } else { paragraphs[paragraphs.count - 1] += "\(line) " }
    }
    return paragraphs.map { HelpColumns.wrapped($0).joined(separator: "\n") }
  }
}
