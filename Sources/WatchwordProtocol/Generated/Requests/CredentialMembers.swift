package import WatchwordSecret
package import WatchwordVocabulary

/// The members of `Credential`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CredentialMembers: Sendable {
  /// The members of `kerberos`.
  package struct Kerberos: Sendable {
    /// default: the tickets of the daemon's uid, for sessions of that uid; another name: a cache of the
    /// administrator's; or the contents of a cache.
    package let cache: Parameter?
    /// The name of a keytab of the administrator's, which has its principal, or the contents of a keytab.
    package let keytab: Parameter?
    /// With contents: the principal that logs in.
    package let principal: String?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      cache = reader["cache"]
      keytab = reader["keytab"]
      principal = try reader["principal"]?.principal(maximumBytes: 1024)
    }
  }

  package let user: String?
  /// Secret.
  package let password: Secret?
  /// The password's octets, instead of password: one that is not UTF-8 (challenges.md 6.10). Secret.
  package let passwordBytes: Secret?
  /// The realm or domain of the user, who is DOMAIN\user from then on.
  package let domain: String?
  package let persistence: Parameter?
  /// Send it with the first request, before the server asks (storage.md 9.4.6): only for basic and bearer
  /// of an origin.
  package let preemptive: Bool?
  package let limits: Parameter?
  /// Secret.
  package let token: Secret?
  /// For key: what stands in front of it in its field, with its space.
  package let prefix: String?
  package let kerberos: GivenKerberos?
  /// Its name in the configuration file.
  package let source: String?
  package let trust: TrustScope?
  package let identity: Parameter?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    user = try reader["user"]?.string(maximumBytes: 4096)
    password = try reader["password"]?.secret(maximumBytes: 65_536)
    passwordBytes = try reader["passwordBytes"]?.secret(maximumBytes: 10_924)
    domain = try reader["domain"]?.string(maximumBytes: 255, minimumBytes: 1)
    persistence = reader["persistence"]
    preemptive = try reader["preemptive"]?.bool()
    limits = reader["limits"]
    token = try reader["token"]?.secret(maximumBytes: 65_536, minimumBytes: 1)
    prefix = try reader["prefix"]?.string(maximumBytes: 128)
    kerberos = try reader["kerberos"]?.kerberos()
    source = try reader["source"]?.string(maximumBytes: 128, minimumBytes: 1)
    trust = try reader["trust"]?.enumeration(TrustScope.self)
    identity = reader["identity"]
  }
}
