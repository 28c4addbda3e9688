internal import WatchwordMessages
internal import WatchwordVocabulary

/// How far one fetch may be redirected, which versions of TLS, HTTP and IP it excludes, and how fast it may
/// be: parameters of the task, which need no session of their own.
struct FetchLimits {
  /// curl's default, and the most that a session follows.
  static let mostRedirects = 50

  /// Nil: the session's.
  var redirectLimit: Int?
  /// Nil: the session's.
  var httpVersions: [String]?
  /// `4` or `6`; nil for both.
  var ipVersion: String?
  /// Nil for no limit.
  var bytesPerSecond: Int?
  /// The oldest and the newest version of TLS; nil for the session's own.
  private var minimumTLS: String?
  private var maximumTLS: String?

  /// curl's `--tlsv1.2` and `--tlsv1.3`; every session speaks 1.2 or newer.
  mutating func requireTLS(_ version: String) { minimumTLS = version == "1.2" ? nil : version }

  /// curl's `--tls-max`.
  mutating func limitTLS(_ version: String) throws(Failure) {
    switch version {
    case "default", "1.3": maximumTLS = nil
    case "1.2": maximumTLS = version
    default: throw .usage("--tls-max is 1.2 or 1.3, not \(DisplayText.escaped(version))")
    }
  }

  func check() throws(Failure) {
    if minimumTLS != nil, maximumTLS != nil { throw .usage("--tlsv1.3 and --tls-max 1.2 exclude each other") }
  }

  /// Curl's number of redirects, where there is none of the command line.
  ///
  /// - Parameter isDefault: false: those of the session.
  func followingAsCurl(_ isDefault: Bool) -> FetchLimits {
    var limits = self
    if isDefault { limits.redirectLimit = redirectLimit ?? Self.mostRedirects }
    return limits
  }

  /// The member `redirects` of `fetch`.
  var redirects: Request.TaskRedirects? { redirectLimit.map { Request.TaskRedirects(limit: $0) } }

  /// The member `tls` of `fetch`.
  var tls: Request.TaskTLS? {
    guard minimumTLS != nil || maximumTLS != nil else { return nil }
    return Request.TaskTLS(minimumVersion: minimumTLS, maximumVersion: maximumTLS)
  }
}
