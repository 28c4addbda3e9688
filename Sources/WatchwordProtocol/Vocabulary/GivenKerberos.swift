package import WatchwordSecret
package import WatchwordVocabulary

/// Where the tickets of a request come from.
package enum GivenKerberos: Sendable {
  case complete(KerberosSource)
  case file(KerberosFile)
}

/// A credential cache or a keytab whose contents are in a file of the caller's.
package struct KerberosFile: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case cache
    case keytab(principal: String)

    package func source(_ contents: Secret) -> KerberosSource {
      switch self {
      case .cache: .cache(contents)
      case .keytab(let principal): .keytab(contents, principal: principal)
      }
    }
  }

  package let content: Content
  /// The index of a descriptor that was sent with the message.
  package let descriptor: Int
  /// Of the descriptor in the request.
  package let path: String

  package init(content: Content, descriptor: Int, path: String) {
    self.content = content
    self.descriptor = descriptor
    self.path = path
  }
}
