/// How long an answer is kept: checked before anybody is asked for one, which the daemon would have to refuse.
enum Persistence {
  /// What this version keeps of credentials, in memory.
  static let forAnswers = ["forSession", "none"]
  /// A decision about certificates is no secret, and may be on the disk.
  static let forTrust = ["forSession", "none", "permanent"]
  /// Nothing would be left of a credential that is given unasked and not kept.
  static let forStorage = ["forSession"]

  static func checked(_ text: String, among words: [String]) throws(Failure) -> String {
    if words.contains(text) { return text }
    if text == "permanent" || text == "synchronizable" {
      throw .usage(
        "this version keeps credentials in memory only", hint: "--persistence forSession keeps it longest")
    }
    throw .usage(
      "--persistence is \(words.joined(separator: " or ")), not \(DisplayText.escaped(text))")
  }
}
