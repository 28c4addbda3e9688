package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// `credential/didChange`: the session has other credentials, or the account other permanent identities; sent to the
/// holders of the session.
package struct CredentialDidChange: OutgoingNotification {
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    switch subject {
    case .one(let key, let change):
      writer.member("protectionSpace", key.space.sentName)
      writer.member("user", key.user)
      writer.member("identity", nil as String?)
      writer.member("change", change.rawValue)
      writer.member("count", 1)
    case .many(let count):
      writer.member("protectionSpace", nil as Sent.ProtectionSpaceName?)
      writer.member("user", nil as String?)
      writer.member("identity", nil as String?)
      writer.member("change", "many")
      writer.member("count", count)
    case .identity(let change):
      let space = change.origin.map {
        ProtectionSpace(
          origin: $0, certificateRequest: CertificateRequest(issuers: [], keyTypes: []), proxyType: nil)
      }
      writer.member("protectionSpace", space?.sentName)
      writer.member("user", nil as String?)
      writer.member("identity", change.identifier)
      writer.member("change", change.change.rawValue)
      writer.member("count", 1)
    }
    writer.endObject()
  }
}
