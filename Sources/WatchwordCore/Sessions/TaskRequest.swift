package import WatchwordVocabulary

/// The part of a caller's request that the session's rules need.
package struct TaskRequest {
  package let identifier: TaskIdentifier
  package var peer: PeerIdentifier?
  package var process: ProcessIdentifier?
  /// Whether the task outlives the connection that starts it.
  package var isDetached = false
  /// The task's own; the session's header fields are added.
  package let hop: RedirectHop
  package var followsRedirects = true
  /// Instead of the session's; nil: the session's.
  package var redirectLimit: Int?
  /// Nil: the session's.
  package var versions: AllowedVersions?
  package var proxies = Proxies.ofSession
  /// Of the request body; nil for a stream.
  package var bodyBytes: Int64? = 0
  /// The request body for Digest `auth-int`.
  package var bodyDigest: (DigestAlgorithm) -> DigestBody = { _ in .empty }

  package enum Proxies: Sendable {
    case ofSession
    case ofEnvironment
    case rules(ProxyRules)
    case none
  }

  package init(identifier: TaskIdentifier, hop: RedirectHop) {
    self.identifier = identifier
    self.hop = hop
  }
}
