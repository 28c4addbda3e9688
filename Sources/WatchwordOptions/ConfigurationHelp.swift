extension ConfigurationMembers {
  /// A part of a help: a row for each member.
  package static var appendix: String {
    "members of the configuration file (protocol/administrator.md 15):\n"
      + HelpColumns.text(rows.map { ($0.name, $0.text) })
  }
}
