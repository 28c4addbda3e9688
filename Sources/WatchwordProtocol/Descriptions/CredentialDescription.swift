package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// A credential as `credential/list` shows it: never a secret.
package struct CredentialDescription {
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("protectionSpace")
    credential.space.writeIdentity(to: &writer)
    writer.member("user", credential.credential.user)
    writer.member("kind", credential.credential.kindName)
    writer.member("persistence", credential.credential.persistence.rawValue)
    writer.member("isDefault", credential.isDefault)
    let named = credential.credential.source
    let source = credential.permanentNumber == nil ? source : ProposedCredential.Source(ofRecord: credential)
    writer.member("source", named == nil ? source.rawValue : "named")
    if let named { writer.member("sourceName", named.name) }
    writer.member("readable", credential.credential.isReadable)
    use.writeMembers(to: &writer)
    writer.endObject()
  }
}

extension Credential {
  var kindName: String {
    switch kind {
    case .password: "password"
    case .token: "token"
    case .kerberos: "kerberos"
    case .trust: "trust"
    case .identity: "identity"
    }
  }
}
