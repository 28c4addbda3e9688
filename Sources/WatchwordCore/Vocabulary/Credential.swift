package import WatchwordSecret

/// What opens a protection space.
package struct Credential: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case password(user: String, password: Secret)
    case token(Secret)
    /// A server's certificates, or its key, are accepted as shown.
    case trust(TrustScope)
    /// A client certificate; its key stays with TLS.
    indirect case identity(Identity)

    /// The account name; nil where there is none.
    package var user: String? {
      switch self {
      case .password(let user, _): user
      case .token, .trust, .identity: nil
      }
    }

    package static func == (left: Kind, right: Kind) -> Bool {
      switch (left, right) {
      case (.password(let user, let password), .password(let otherUser, let otherPassword)):
        Bytewise(user) == Bytewise(otherUser) && password == otherPassword
      case (.token(let token), .token(let otherToken)): token == otherToken
      case (.trust(let scope), .trust(let otherScope)): scope == otherScope
      case (.identity(let identity), .identity(let otherIdentity)): identity == otherIdentity
      case (.password, _), (.token, _), (.trust, _), (.identity, _): false
      }
    }
  }

  package let kind: Kind
  package var persistence: Persistence
  package var limits: CredentialLimits

  package init(
    _ kind: Kind, persistence: Persistence = .forSession, limits: CredentialLimits = CredentialLimits()
  ) {
    self.kind = kind
    self.persistence = persistence
    self.limits = limits
  }

  package var user: String? { kind.user }
}

/// How long a credential is kept, and who sees it (challenges §7).
package enum Persistence: String, Sendable, CaseIterable {
  case none
  case forSession
  case permanent
  case synchronizable

  /// Whether it serves more than the tasks that wait for the answer.
  package var outlivesAnswer: Bool { self != .none }
}

/// What narrows the use of a stored credential [ssh-agent's constraints]; nil and empty mean no limit.
package struct CredentialLimits: Sendable, Equatable {
  /// Seconds without a use after which the credential is forgotten.
  package var idleSeconds: Double?
  /// Seconds after which it is forgotten however often it is used.
  package var lifetimeSeconds: Double?
  /// Wall-clock seconds since 1970 after which it is forgotten.
  package var notAfter: Double?
  /// Paths it may be sent to, with everything below them; empty: all.
  package var pathPrefixes: [String] = []
  /// HTTP methods it may be sent with; empty: all.
  package var methods: [String] = []
  package var maximumUses: Int?
  /// Whether a use by another process than the one that gave it raises a challenge.
  package var confirm = false

  package init() {}
}
