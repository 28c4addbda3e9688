internal import WatchwordCore
package import WatchwordVocabulary

/// `synchronization` of the daemon's configuration file (administrator.md 15.4): the store of the fleet.
package struct SynchronizationSettings: Sendable, Equatable {
  package let endpoints: [RequestURL]
  /// What the names of all records of the fleet begin with.
  package let prefix: String
  package let keyFile: String
  /// Nil: without authentication, or by the client certificate alone.
  package let user: User?
  /// PEM certificates; nil: the system's roots alone.
  package let roots: String?
  package let identity: Identity?

  package struct User: Sendable, Equatable {
    let name: String
    let passwordFile: String
  }

  package struct Identity: Sendable, Equatable {
    let certificate: String
    let privateKey: String
  }
}

/// A socket of the administrator's, whose connections may fetch in one session what the rules allow.
package struct RestrictedSocket: Sendable, Equatable {
  /// Absolute; in a directory as that of the daemon's own socket.
  let path: String
  /// The name of a session of the daemon's uid.
  let session: String
  let rules: [RestrictionRule]
}
