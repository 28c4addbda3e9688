package import WatchwordJSON
package import WatchwordSecret
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `Credential` of the contract.
  package struct Credential: SentObject {
    package let user: String?
    /// Secret.
    package let password: Secret?
    /// The password's octets, instead of password: one that is not UTF-8 (challenges.md 6.10). Secret.
    package let passwordBytes: Secret?
    /// The realm or domain of the user, who is DOMAIN\user from then on.
    package let domain: String?
    /// Means nothing: the passphrase is not kept.
    package let persistence: Persistence?
    /// Send it with the first request, before the server asks (storage.md 9.4.6): only for basic and bearer
    /// of an origin. A key always does.
    package let preemptive: Bool?
    package let limits: Request.CredentialLimits?
    /// Secret.
    package let token: Secret?
    /// For key: what stands in front of it in its field, with its space.
    package let prefix: String?
    package let kerberos: Request.CredentialKerberos?
    /// Its name in the configuration file.
    package let source: String?
    package let trust: TrustScope?
    package let identity: TextOr<Request.IdentityMaterial>?
    /// Secret.
    package let passphrase: Secret?

    package init(
      user: String? = nil, password: Secret? = nil, passwordBytes: Secret? = nil, domain: String? = nil,
      persistence: Persistence? = nil, preemptive: Bool? = nil, limits: Request.CredentialLimits? = nil,
      token: Secret? = nil, prefix: String? = nil, kerberos: Request.CredentialKerberos? = nil,
      source: String? = nil, trust: TrustScope? = nil, identity: TextOr<Request.IdentityMaterial>? = nil,
      passphrase: Secret? = nil
    ) {
      self.user = user
      self.password = password
      self.passwordBytes = passwordBytes
      self.domain = domain
      self.persistence = persistence
      self.preemptive = preemptive
      self.limits = limits
      self.token = token
      self.prefix = prefix
      self.kerberos = kerberos
      self.source = source
      self.trust = trust
      self.identity = identity
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let user { writer.member("user", user) }
      if let password { writer.member("password", password) }
      if let passwordBytes { writer.member("passwordBytes", passwordBytes) }
      if let domain { writer.member("domain", domain) }
      if let persistence { writer.member("persistence", persistence) }
      if let preemptive { writer.member("preemptive", preemptive) }
      if let limits { writer.member("limits", limits) }
      if let token { writer.member("token", token) }
      if let prefix { writer.member("prefix", prefix) }
      if let kerberos { writer.member("kerberos", kerberos) }
      if let source { writer.member("source", source) }
      if let trust { writer.member("trust", trust) }
      if let identity { writer.member("identity", identity) }
      if let passphrase { writer.member("passphrase", passphrase) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.memberIfPresent("user")
      password = try object.memberIfPresent("password")
      passwordBytes = try object.memberIfPresent("passwordBytes")
      domain = try object.memberIfPresent("domain")
      persistence = try object.memberIfPresent("persistence")
      preemptive = try object.memberIfPresent("preemptive")
      limits = try object.memberIfPresent("limits")
      token = try object.memberIfPresent("token")
      prefix = try object.memberIfPresent("prefix")
      kerberos = try object.memberIfPresent("kerberos")
      source = try object.memberIfPresent("source")
      trust = try object.memberIfPresent("trust")
      identity = try object.memberIfPresent("identity")
      passphrase = try object.memberIfPresent("passphrase")
    }
  }
}
