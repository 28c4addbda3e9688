internal import WatchwordMessages
internal import WatchwordPrimitives

/// What callers of the session have chosen of the way to the server that asks, for a person.
enum CallersWayText {
  /// A remark of a prompt, as in messages.md 16.3.
  static func remark(_ way: String) -> String {
    switch way {
    case "acceptedCertificate": "accepted certificate"
    default: "\(DisplayText.escaped(way)) of the session"
    }
  }

  /// A line of its own.
  static func line(_ way: String) -> String {
    switch way {
    case "roots": "its certificate is verified by roots that were set in the session"
    case "addresses": "its address was set in the session"
    case "proxy": "through a proxy that was set in the session"
    case "acceptedCertificate": "its certificate failed verification and was accepted"
    default: "the session leads there by a setting of its own: \(DisplayText.escaped(way))"
    }
  }
}
