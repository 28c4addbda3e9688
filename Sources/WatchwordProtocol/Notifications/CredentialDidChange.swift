package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// `credential/didChange`: the session has other credentials, or the account other permanent identities; sent to the
/// holders of the session.
package struct CredentialDidChange: OutgoingNotification, Describing {
  private enum Subject {
    case one(CredentialCache.Key, CredentialCache.Change)
    case many(Int)
    case identity(PermanentIdentityChange)
  }

  private let session: String
  private let subject: Subject

  package init(session: String, key: CredentialCache.Key, change: CredentialCache.Change) {
    self.session = session
    subject = .one(key, change)
  }

  /// - Parameter count: how many have changed at once.
  package init(session: String, count: Int) {
    self.session = session
    subject = .many(count)
  }

  package init(session: String, identity change: PermanentIdentityChange) {
    self.session = session
    subject = .identity(change)
  }

  package var name: StaticString { "credential/didChange" }

  package var sent: Sent.CredentialDidChange {
    switch subject {
    case .one(let key, let change):
      Sent.CredentialDidChange(
        session: session, protectionSpace: key.space.sentName, user: key.user, identity: nil,
        change: change.rawValue, count: 1)
    case .many(let count):
      Sent.CredentialDidChange(
        session: session, protectionSpace: nil, user: nil, identity: nil, change: "many", count: count)
    case .identity(let change):
      Sent.CredentialDidChange(
        session: session, protectionSpace: change.space?.sentName, user: nil, identity: change.identifier,
        change: change.change.rawValue, count: 1)
    }
  }
}

extension PermanentIdentityChange {
  /// Nil: the identity is for every server.
  fileprivate var space: ProtectionSpace? {
    origin.map {
      ProtectionSpace(
        origin: $0, certificateRequest: CertificateRequest(issuers: [], keyTypes: []), proxyType: nil)
    }
  }
}
