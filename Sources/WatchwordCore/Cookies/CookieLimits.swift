/// The limits of a session's cookies. A server chooses their number and length.
package enum CookieLimits {
  /// Of one domain, as in browsers (RFC 6265bis §6.1 requires 50).
  package static let perOrigin = 180
  /// Of one session, as RFC 6265bis §6.1 requires.
  package static let perSession = 3000
  /// Names, values, domains and paths of one session's cookies together.
  package static let bytesPerSession = 1_048_576
  /// Taken from one response; libcurl's limit, and more than any site sets.
  package static let perResponse = 50
  /// The value of a `Set-Cookie` field; name and value together may have 4,096 bytes of it. libcurl's limits.
  package static let setCookieBytes = 5000
  static let pairBytes = 4096
  /// A `Cookie` field, its name included: the default limit of servers (Apache). libcurl's limit.
  package static let fieldBytes = 8190
  /// Cookies of one `Cookie` field; libcurl's limit.
  static let perRequest = 150
  /// After an eviction this share of a session's limits is in use, so that not every new cookie causes one.
  static let keptTenths = 9
}
