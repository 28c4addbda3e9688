package import WatchwordCore

/// A source that asks an authorization server for tokens (administrator.md 15.3.4), with the files that hold what is
/// secret.
package struct OAuthSource: Sendable, Equatable {
  package let client: OAuthClient
  package let secretFile: String?
  package let refreshTokenFile: String?
  /// PEM certificates; nil: the system's roots alone.
  package let roots: String?
}
