package import WatchwordCore
package import WatchwordJSON
package import WatchwordMessages
internal import WatchwordVocabulary

/// A message of the daemon that is no reply and gets none. None carries a secret.
package protocol OutgoingNotification {
  var name: StaticString { get }
  /// Writes `params`.
  func write(to writer: inout JSONWriter)
}

extension Envelope {
  package static func notification(
    to writer: inout JSONWriter, _ notification: some OutgoingNotification, descriptors: Int = 0
  ) {
    self.notification(to: &writer, notification.name, descriptors: descriptors, notification.write)
  }
}

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

/// `session/didInvalidate`: a session has ended; sent to its holders.
package struct SessionDidInvalidate: OutgoingNotification, Describing {
  package enum Reason: String, Sendable, CaseIterable {
    case invalidated
    case finished
    case idle
    case shutdown
  }

  package let session: String
  package let reason: Reason

  package init(session: String, reason: Reason) {
    self.session = session
    self.reason = reason
  }

  package var name: StaticString { "session/didInvalidate" }

  package var sent: Sent.SessionDidInvalidate {
    Sent.SessionDidInvalidate(session: session, reason: reason.rawValue)
  }
}

/// `status/didChange`: the current snapshot of `status`; sent to subscribers.
package struct StatusDidChange: OutgoingNotification {
  package let snapshot: StatusSnapshot

  package init(_ snapshot: StatusSnapshot) { self.snapshot = snapshot }

  package var name: StaticString { "status/didChange" }

  package func write(to writer: inout JSONWriter) { snapshot.write(to: &writer) }
}
