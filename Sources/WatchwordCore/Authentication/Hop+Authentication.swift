internal import WatchwordVocabulary

/// How a hop asks. The rules of authentication are the same for both; only the status and the fields differ (RFC 9110
/// §11.7).
extension Hop {
  /// The status with which it refuses.
  var refusal: Int {
    switch self {
    case .origin: 401
    case .proxy: 407
    }
  }

  /// In lower case, as the one below.
  var challengeField: String {
    switch self {
    case .origin: "www-authenticate"
    case .proxy: "proxy-authenticate"
    }
  }

  var informationField: String {
    switch self {
    case .origin: "authentication-info"
    case .proxy: "proxy-authentication-info"
    }
  }
}
