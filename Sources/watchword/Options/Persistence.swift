internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// How long an answer is kept: checked before the person is asked for one that the daemon would refuse.
extension Persistence {
  static let forAnswers: [Persistence] = [.forSession, .none, .permanent, .synchronizable]
  /// With `none`, a credential that no task waits for would not be kept at all.
  static let forStorage: [Persistence] = [.forSession, .permanent, .synchronizable]

  /// No key is shared with other hosts.
  static let forIdentities: [Persistence] = [.forSession, .permanent]

  static func checked(_ text: String, among known: [Persistence]) throws(Failure) -> Persistence {
    if let persistence = known.first(where: { $0.rawValue == text }) { return persistence }
    throw .usage(
      "--persistence is \(words(known).joined(separator: " or ")), not \(DisplayText.escaped(text))")
  }

  static func words(_ known: [Persistence]) -> [String] { known.map(\.rawValue) }
}
