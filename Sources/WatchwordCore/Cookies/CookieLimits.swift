/// The bounds of a session's cookies. A server chooses how many there are and how long they are.
package enum CookieLimits {
  /// Of one domain, as browsers have it (RFC 6265bis §6.1 asks for 50).
  package static let perOrigin = 180
  /// Of one session, as RFC 6265bis §6.1 asks for.
  package static let perSession = 3000
  /// Names, values, domains and paths of one session's cookies together.
  package static let bytesPerSession = 1_048_576
  /// Taken from one response; libcurl's bound, and more than any site sets.
  package static let perResponse = 50
  /// The value of a `Set-Cookie` field; name and value together have at most 4,096 bytes of it. libcurl's bounds.
  package static let setCookieBytes = 5000
  static let pairBytes = 4096
  /// A `Cookie` field, its name included: what servers take by default (Apache). libcurl's bound.
  package static let fieldBytes = 8190
  /// Cookies of one `Cookie` field; libcurl's bound.
  static let perRequest = 150
  /// After an eviction this share of a session's bounds is in use, so that not every new cookie costs one.
  static let keptTenths = 9
}
