/// How long an answer is kept: checked before the person is asked for one that the daemon would refuse.
enum Persistence {
  static let forAnswers = ["forSession", "none", "permanent"]
  /// With `none`, a credential that no task waits for would not be kept at all.
  static let forStorage = ["forSession", "permanent"]

  static func checked(_ text: String, among words: [String]) throws(Failure) -> String {
    if words.contains(text) { return text }
    if text == "synchronizable" {
      throw .usage(
        "this version distributes nothing to other hosts", hint: "--persistence permanent keeps it longest")
    }
    throw .usage(
      "--persistence is \(words.joined(separator: " or ")), not \(DisplayText.escaped(text))")
  }
}
