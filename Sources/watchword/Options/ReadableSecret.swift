internal import WatchwordPrimitives

/// Why a secret is not taken from a command line.
enum ReadableSecret {
  /// - Parameter place: what of the command line has it.
  static func text(_ secret: String, in place: String = "arguments") -> String {
    "a \(secret) in the \(place) is readable by every process"
  }

  /// - Parameter origin: of the URL that has the password, without it.
  static func refusal(of user: String, at origin: String, isProxy: Bool) -> Failure {
    let place = "\(isProxy ? "--proxy " : "")-u \(DisplayText.escaped(user))"
    return .usage(
      text("password", in: "URL"),
      hint: "watchword credentials set \(place) --password-fd 0 \(DisplayText.escaped(origin)) <FILE keeps it"
    )
  }
}
