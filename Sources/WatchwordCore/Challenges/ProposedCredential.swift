internal import WatchwordVocabulary

/// The credential that the session would use if allowed, without its secret.
package struct ProposedCredential: Sendable, Equatable {
  package enum Source: String, Sendable {
    case url
    case session
    case permanent
    case synchronizable
    case netrc
    /// The tickets of the account that the daemon runs as.
    case ambient

    /// Of a record of the account.
    package init(ofRecord entry: CachedCredential) {
      self = entry.credential.persistence == .synchronizable ? .synchronizable : .permanent
    }
  }

  package let user: String?
  package let source: Source

  package init(user: String?, source: Source) {
    self.user = user
    self.source = source
  }
}
