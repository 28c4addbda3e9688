package import WatchwordCore
package import WatchwordVocabulary

/// One of the administrator's sources of credentials (administrator.md 15.3).
package struct NamedSource: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A file whose contents are a password for `user`, or a token; it may be rotated.
    case file(path: String, user: String?)
    /// The same for a credential of the daemon's unit (systemd.exec(5), "Credentials").
    case systemd(name: String, user: String?)
    case gitHelper(GitHelper)
    /// An authorization server that issues tokens (RFC 6749).
    case oauth(OAuthSource)

    /// The member `kind` of the configuration.
    var name: String {
      switch self {
      case .file: "file"
      case .systemd: "systemd"
      case .gitHelper: "gitHelper"
      case .oauth: "oauth"
      }
    }
  }

  /// A program that speaks git's credential helper protocol.
  package struct GitHelper: Sendable, Equatable {
    /// With its arguments; the operation is added.
    let command: [String]
    /// Whether it is told what servers accept and refuse.
    let isTold: Bool
  }

  package let kind: Kind
  /// Nil: every origin.
  package let origins: Set<Origin>?

  package init(_ kind: Kind, origins: Set<Origin>? = nil) {
    self.kind = kind
    self.origins = origins
  }

  /// Whether it gives something only after a person has entered a code.
  var needsPerson: Bool {
    guard case .oauth(let source) = kind else { return false }
    return source.client.grant == .deviceCode
  }

  func serves(_ origin: Origin) -> Bool { origins?.contains(origin) ?? true }
}

/// A source that asks an authorization server for tokens (administrator.md 15.3.4), with the files that hold
/// what is secret.
package struct OAuthSource: Sendable, Equatable {
  package let client: OAuthClient
  package let secretFile: String?
  package let refreshTokenFile: String?
  /// PEM certificates; nil: the system's roots alone.
  package let roots: String?
}
