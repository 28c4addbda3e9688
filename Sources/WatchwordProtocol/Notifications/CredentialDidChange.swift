package import WatchwordCore
package import WatchwordJSON

/// `credential/didChange`: the session has another credential; sent to the holders of the session.
package struct CredentialDidChange: OutgoingNotification {
  package let session: String
  package let key: CredentialCache.Key
  package let change: CredentialCache.Change

  package init(session: String, key: CredentialCache.Key, change: CredentialCache.Change) {
    self.session = session
    self.key = key
    self.change = change
  }

  package var name: StaticString { "credential/didChange" }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.key("protectionSpace")
    key.space.writeIdentity(to: &writer)
    writer.member("user", key.user)
    writer.member("change", change.rawValue)
    writer.endObject()
  }
}
