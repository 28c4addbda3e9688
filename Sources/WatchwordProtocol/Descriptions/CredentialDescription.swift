package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// A credential as `credential/list` shows it: never a secret.
package struct CredentialDescription: Describing {
  package let credential: CachedCredential
  package let use: UseDescription
  private let source: ProposedCredential.Source

  /// - Parameter source: `permanent` for a record of the account.
  package init(
    _ credential: CachedCredential, source: ProposedCredential.Source = .session, now: Double,
    wallClock: Double
  ) {
    self.credential = credential
    self.source = source
    use = UseDescription(credential.record, now: now, wallClock: wallClock)
  }

  package var sent: Sent.StoredCredential {
    let named = credential.credential.source
    let source = credential.permanentNumber == nil ? source : ProposedCredential.Source(ofRecord: credential)
    return Sent.StoredCredential(
      protectionSpace: credential.space.sentName, user: credential.credential.user,
      kind: credential.credential.kindName, persistence: credential.credential.persistence.rawValue,
      isDefault: credential.isDefault, source: named == nil ? source.rawValue : "named",
      sourceName: named?.name, readable: credential.credential.isReadable,
      preemptive: credential.credential.isPreemptive,
      prefix: credential.credential.prefix.isEmpty ? nil : credential.credential.prefix,
      limits: use.record.limits.sent,
      uses: use.record.uses, lastUsed: use.lastUsed, created: use.created, secondsLeft: use.secondsLeft)
  }
}

extension Credential {
  package var kindName: String {
    switch kind {
    case .password: "password"
    case .token: "token"
    case .kerberos: "kerberos"
    case .trust: "trust"
    case .identity: "identity"
    }
  }
}
