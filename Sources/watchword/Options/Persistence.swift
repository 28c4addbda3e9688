/// How long an answer is kept: checked before the person is asked for one that the daemon would refuse.
enum Persistence {
  /// The persistences of credentials that this version supports, in memory.
  static let forAnswers = ["forSession", "none"]
  /// A decision about certificates is no secret, and may be on the disk.
  static let forTrust = ["forSession", "none", "permanent"]
  /// With `none`, a credential that no task waits for would not be kept at all.
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
