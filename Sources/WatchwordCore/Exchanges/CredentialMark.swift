package import WatchwordVocabulary

/// Tells credentials apart without holding one: what is kept may outlive them.
///
/// A hash of 128 bits under Swift's keys, which are this process's own and random (SipHash). It says nothing
/// to another process, and is not written anywhere.
package struct CredentialMark: Sendable, Hashable {
  private let first: Int
  private let second: Int

  package init(_ kind: Credential.Kind) {
    first = Self.hash(kind, 1)
    second = Self.hash(kind, 2)
  }

  private static func hash(_ kind: Credential.Kind, _ number: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(number)
    switch kind {
    case .password(let user, let password):
      hasher.combine(0)
      hasher.combine(Bytewise(user))
      combine(password, &hasher)
    case .token(let token):
      hasher.combine(1)
      combine(token, &hasher)
    case .kerberos(let source):
      hasher.combine(2)
      combine(source, &hasher)
    // Those of a handshake, which the partition names in another way.
    case .trust, .identity: hasher.combine(3)
    }
    return hasher.finalize()
  }

  private static func combine(_ source: KerberosSource, _ hasher: inout Hasher) {
    switch source {
    case .defaultCache: hasher.combine(0)
    case .namedCache(let name):
      hasher.combine(1)
      hasher.combine(Bytewise(name))
    case .cache(let contents):
      hasher.combine(2)
      combine(contents, &hasher)
    case .keytab(let contents, let principal):
      hasher.combine(3)
      hasher.combine(Bytewise(principal))
      combine(contents, &hasher)
    case .namedKeytab(let name):
      hasher.combine(4)
      hasher.combine(Bytewise(name))
    }
  }

  private static func combine(_ secret: Secret, _ hasher: inout Hasher) {
    secret.withBytes { hasher.combine(bytes: $0) }
    hasher.combine(secret.count)
  }
}
