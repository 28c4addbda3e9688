/// A stored cookie of a session (RFC 6265bis §5.7), as callers see it.
package struct Cookie: Sendable, Equatable {
  package var name: String
  package var value: String
  /// Without a leading dot.
  package var domain: String
  package var includesSubdomains: Bool
  package var path: String
  /// Seconds since 1970; nil for a session cookie.
  package var expires: Int64?
  package var isSecure: Bool
  package var isHTTPOnly: Bool

  package init(
    name: String, value: String, domain: String, includesSubdomains: Bool, path: String, expires: Int64?,
    isSecure: Bool, isHTTPOnly: Bool
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.includesSubdomains = includesSubdomains
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
  }
}
