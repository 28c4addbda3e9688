internal import WatchwordVocabulary

/// Numbers that are not whole as option arguments.
enum Number {
  /// More than 0 of `unit`.
  static func positive(_ text: String, _ option: String, _ unit: String) throws(Failure) -> Double {
    guard let value = Double(text), value > 0, value.isFinite else {
      throw .usage("\(option) needs a number of \(unit) above 0, not \(DisplayText.escaped(text))")
    }
    return value
  }

  /// Seconds; nil for 0, which sets no limit.
  static func limit(_ text: String, _ option: String) throws(Failure) -> Double? {
    guard let value = Double(text), value >= 0, value.isFinite else {
      throw .usage("\(option) needs a number of seconds, not \(DisplayText.escaped(text))")
    }
    return value == 0 ? nil : value
  }
}

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

/// Why a secret is not taken from a command line.
enum ReadableSecret {
  /// - Parameter place: what of the command line has it.
  static func text(_ secret: String, in place: String = "arguments") -> String {
    "a \(secret) in the \(place) is readable by every process"
  }

  /// - Parameter origin: of the URL that has the password, without it.
  static func refusal(
    of user: String, at origin: String, isProxy: Bool, in place: String = "URL"
  ) -> Failure {
    let options = "\(isProxy ? "--proxy " : "")-u \(DisplayText.escaped(user))"
    return .usage(
      text("password", in: place),
      hint: "watchword credentials set \(options) --password-fd 0 \(DisplayText.escaped(origin)) <FILE "
        + "keeps it"
    )
  }
}
