/// The two columns of a help: names, and what they are for.
package enum HelpColumns {
  package static func label(short: Character?, long: String, argument: String?) -> String {
    let short = short.map { "-\($0), " } ?? "    "
    return "\(short)--\(long)\(argument.map { " " + $0 } ?? "")"
  }

  /// Columns of a terminal.
  package static let columns = 80

  /// The lines of a paragraph, none longer than `width` unless one word is.
  package static func wrapped(_ paragraph: String, width: Int = columns) -> [String] {
    var lines = [""]
    for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A first column that is too wide gets a line of its own.
  package static func text(_ rows: [(String, String)]) -> String {
    let width = 26
    return rows.map { row in
      let gap =
        row.0.count < width
        ? String(repeating: " ", count: width - row.0.count) : "\n  " + String(repeating: " ", count: width)
      let texts = wrapped(row.1, width: columns - width - 2)
      return "  " + row.0 + gap + texts.joined(separator: "\n  " + String(repeating: " ", count: width))
    }.joined(separator: "\n")
  }
}

extension Option {
  /// Its row in the help.
  @inlinable package var helpRow: (String, String) {
    (HelpColumns.label(short: short, long: long, argument: argument), help)
  }
}

extension ConfigurationMembers {
  /// A part of a help: a row for each member.
  package static var appendix: String {
    "members of the configuration file (protocol/administrator.md 15):\n"
      + HelpColumns.text(rows.map { ($0.name, $0.text) })
  }
}
