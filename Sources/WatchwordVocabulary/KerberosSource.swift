/// Where Kerberos tickets come from.
package enum KerberosSource: Sendable, Equatable {
  /// The tickets of the account that the daemon runs as.
  case defaultCache
  /// A cache by its name in the administrator's configuration.
  case namedCache(String)
  /// The contents of a credential cache.
  case cache(Secret)
  /// The contents of a keytab, which holds the keys of the principal.
  case keytab(Secret, principal: String)
  /// A keytab by its name in the administrator's configuration.
  case namedKeytab(String)

  /// The longest cache or keytab, in bytes: caches hold one ticket for each server.
  package static let maximumBytes = 262_144
  /// The longest principal or name of a cache, in bytes.
  package static let maximumNameBytes = 1024

  /// The principal, where the caller has named one.
  package var user: String? {
    switch self {
    case .keytab(_, let principal): principal
    case .defaultCache, .namedCache, .cache, .namedKeytab: nil
    }
  }

  var byteCount: Int {
    switch self {
    case .defaultCache: 0
    case .namedCache(let name), .namedKeytab(let name): name.utf8.count
    case .cache(let contents): contents.count
    case .keytab(let contents, let principal): contents.count + principal.utf8.count
    }
  }
}

/// Which of a user's credentials of one space a caller means (storage.md 9.9.7).
package enum NamedPath: Sendable, Equatable {
  case any
  /// What is kept for the whole space.
  case whole
  /// What another tool has stored for this path.
  case only(String)

  /// Those in whose place this one is kept.
  package init(of credential: Credential) {
    self = credential.givenPath.map(NamedPath.only) ?? .whole
  }

  package func includes(_ credential: Credential) -> Bool {
    switch self {
    case .any: true
    case .whole: credential.givenPath == nil
    case .only(let path): Bytewise(credential.givenPath) == Bytewise(path)
    }
  }
}
