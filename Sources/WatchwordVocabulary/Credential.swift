/// What opens a protection space.
package struct Credential: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case password(user: String, password: Secret)
    case token(Secret)
    /// A server's certificates, or its key, are accepted as shown.
    case trust(TrustScope)
    /// A client certificate; its key stays with TLS.
    indirect case identity(Identity)
    /// Kerberos tickets, or the keys to get some.
    indirect case kerberos(KerberosSource)

    /// The account name; nil where there is none.
    package var user: String? {
      switch self {
      case .password(let user, _): user
      case .kerberos(let source): source.user
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
      case (.kerberos(let source), .kerberos(let otherSource)): source == otherSource
      case (.password, _), (.token, _), (.trust, _), (.identity, _), (.kerberos, _): false
      }
    }
  }

  package let kind: Kind
  package var persistence: Persistence
  package var limits: CredentialLimits
  /// Nil for a credential that was given itself.
  package let source: CredentialSource?
  /// Whether it was stored to be given back (storage.md 9.9).
  package var isReadable = false
  /// Whether it goes with the first request, before a server asks (storage.md 9.4.6).
  package var isPreemptive = false
  /// Of a key: what stands in front of it in its field. No secret.
  package var prefix = ""

  package init(
    _ kind: Kind, persistence: Persistence = .forSession, limits: CredentialLimits = CredentialLimits(),
    source: CredentialSource? = nil
  ) {
    self.kind = kind
    self.persistence = persistence
    self.limits = limits
    self.source = source
  }

  package var user: String? { kind.user }

  /// The one path for which it was given to be given back, or to go with the first request; nil: there is no
  /// such path.
  package var givenPath: String? {
    (isReadable || isPreemptive) && limits.pathPrefixes.count == 1 ? limits.pathPrefixes[0] : nil
  }

  /// The path for which it is kept beside the user's other credentials of a space (storage.md 9.9.7). The
  /// names of a fleet's records have no path.
  package var path: String? { persistence == .synchronizable ? nil : givenPath }

  /// Bytes of its texts: a caller can make them as long as a message.
  package var byteCount: Int {
    let texts = limits.pathPrefixes + limits.methods
    let source = source.map { $0.name.utf8.count + ($0.receipt?.count ?? 0) } ?? 0
    return kind.byteCount + prefix.utf8.count + source + texts.reduce(0) { $0 + $1.utf8.count }
  }
}

extension Credential.Kind {
  fileprivate var byteCount: Int {
    switch self {
    case .password(let user, let password): user.utf8.count + password.count
    case .token(let token): token.count
    case .kerberos(let source): source.byteCount
    case .trust, .identity: 0
    }
  }
}

/// Where a credential comes from when it was not given itself: one of the administrator's sources.
package struct CredentialSource: Sendable, Equatable {
  package let name: String
  /// The limits that the caller gave; a credential's own also say when it ends.
  package let limits: CredentialLimits
  /// What the source is told when a server has accepted or refused the credential (storage.md 9.7.11); nil:
  /// nothing.
  package let receipt: Secret?
  /// Whether what it gives goes with the first request (storage.md 9.4.6).
  package let isPreemptive: Bool
  /// Of a key: what stands in front of it in its field.
  package let prefix: String

  package init(
    name: String, limits: CredentialLimits, receipt: Secret? = nil, isPreemptive: Bool = false,
    prefix: String = ""
  ) {
    self.name = name
    self.limits = limits
    self.receipt = receipt
    self.isPreemptive = isPreemptive
    self.prefix = prefix
  }
}

extension Persistence {
  /// Whether it is kept by the account, on the disk.
  package var isOfAccount: Bool { self == .permanent || self == .synchronizable }

  /// Whether it outlives the tasks that wait for the answer.
  package var outlivesAnswer: Bool { self != .none }
}

/// Limits on the use of a stored credential (storage.md 9.5.1); nil and empty mean no limit.
package struct CredentialLimits: Sendable, Equatable {
  /// Seconds without a use after which the credential is forgotten.
  package var idleSeconds: Double?
  /// Seconds after which it is forgotten regardless of its use.
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
