/// How long an answer is kept: checked before the person is asked for one that the daemon would refuse.
enum Persistence {
  static let forAnswers = ["forSession", "none", "permanent", "synchronizable"]
  /// With `none`, a credential that no task waits for would not be kept at all.
  static let forStorage = ["forSession", "permanent", "synchronizable"]

  /// No key is shared with other hosts.
  static let forIdentities = ["forSession", "permanent"]

  static func checked(_ text: String, among words: [String]) throws(Failure) -> String {
    if words.contains(text) { return text }
    throw .usage(
      "--persistence is \(words.joined(separator: " or ")), not \(DisplayText.escaped(text))")
  }
}
