package import WatchwordCore
package import WatchwordJSON

/// `credential/didChange`: the session has other credentials; sent to the holders of the session.
package struct CredentialDidChange: OutgoingNotification {
  private enum Subject {
    case one(CredentialCache.Key, CredentialCache.Change)
    case many(Int)
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

  package var name: StaticString { "credential/didChange" }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.key("protectionSpace")
    switch subject {
    case .one(let key, let change):
      key.space.writeIdentity(to: &writer)
      writer.member("user", key.user)
      writer.member("change", change.rawValue)
      writer.member("count", 1)
    case .many(let count):
      writer.null()
      writer.member("user", nil as String?)
      writer.member("change", "many")
      writer.member("count", count)
    }
    writer.endObject()
  }
}
