/// The two columns of a help: names, and what they are for.
package enum HelpColumns {
  package static func label(short: Character?, long: String, argument: String?) -> String {
    let short = short.map { "-\($0), " } ?? "    "
    return "\(short)--\(long)\(argument.map { " " + $0 } ?? "")"
  }

  /// A first column that is too wide gets a line of its own.
  package static func text(_ rows: [(String, String)]) -> String {
    let width = 26
    return rows.map { row in
      let gap =
        row.0.count < width
        ? String(repeating: " ", count: width - row.0.count) : "\n  " + String(repeating: " ", count: width)
      return "  " + row.0 + gap + row.1
    }.joined(separator: "\n")
  }
}

extension Option {
  /// Its row in the help.
  @inlinable package var helpRow: (String, String) {
    (HelpColumns.label(short: short, long: long, argument: argument), help)
  }
}
