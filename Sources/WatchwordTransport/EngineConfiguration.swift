internal import Glibc
package import WatchwordCore

/// Settings of an engine that do not change during its life.
package struct EngineConfiguration: Sendable {
  /// In whose turns of the loop it works: the user of the session.
  package var uid: UInt32 = getuid()
  package var connectionsPerHost = 6
  /// Over TLS, when the server supports it.
  package var allowsHTTP2 = true
  package var minimumTLSVersion = SessionConfiguration.TLSBound.tls12
  package var maximumTLSVersion = SessionConfiguration.TLSBound.tls13
  /// PEM text of additional roots; with `exclusive` the system's are not used.
  package var extraRoots: String?
  package var exclusiveRoots = false
  /// PEM text of the user's roots, beside those above; nil where they do not count.
  package var userRoots: String?
  package var revocation = SessionConfiguration.Revocation.off
  /// PEM text of revocation lists.
  package var revocationLists: String?
  /// `host:port` to address, which replaces the resolver.
  package var resolve: [(hostAndPort: String, address: String)] = []
  /// Refuse loopback, link-local and private addresses, checked on the resolved address at connect time.
  package var refusesPrivateAddresses = false
  package var cookiePolicy = SessionConfiguration.Cookies.accept
  /// Decoded bytes of one response body; nil: no limit.
  package var decodedBodyBytes: Int64?

  package init() {}

  /// For connections that may use these versions only.
  func narrowed(to versions: AllowedVersions) -> EngineConfiguration {
    var narrowed = self
    narrowed.minimumTLSVersion = versions.minimumTLS
    narrowed.maximumTLSVersion = versions.maximumTLS
    narrowed.allowsHTTP2 = versions.allowsHTTP2
    return narrowed
  }
}
