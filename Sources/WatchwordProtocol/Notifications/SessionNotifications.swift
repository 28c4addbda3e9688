package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// `credential/didChange`: the session has other credentials, or the account other permanent identities; sent
/// to the holders of the session.
extension Sent.CredentialDidChange {
  package init(session: String, key: CredentialKey, change: CredentialChange) {
    self.init(
      session: session, protectionSpace: key.space.sentName, user: key.user, identity: nil,
      change: change.rawValue, count: 1)
  }

  /// - Parameter count: how many have changed at once.
  package init(session: String, count: Int) {
    self.init(session: session, protectionSpace: nil, user: nil, identity: nil, change: "many", count: count)
  }

  package init(session: String, identity change: PermanentIdentityChange) {
    // Without an origin the identity is for every server.
    let space = change.origin.map {
      ProtectionSpace(
        origin: $0, certificateRequest: CertificateRequest(issuers: [], keyTypes: []), proxyType: nil)
    }
    self.init(
      session: session, protectionSpace: space?.sentName, user: nil, identity: change.identifier,
      change: change.change.rawValue, count: 1)
  }
}
