package import WatchwordCore
package import WatchwordVocabulary

/// A credential as a caller gives it: an identity, a file or a source must be found or read before it is
/// complete.
package enum GivenCredential: Sendable {
  case complete(Credential)
  case identity(IdentitySource, persistence: Persistence, limits: CredentialLimits)
  case kerberosFile(KerberosFile, persistence: Persistence, limits: CredentialLimits)
  /// One of the administrator's sources, by name.
  case source(String, persistence: Persistence, limits: CredentialLimits, isPreemptive: Bool, prefix: String)

  /// Nil for what must be found or read first.
  package var complete: Credential? {
    switch self {
    case .complete(let credential): credential
    case .identity, .kerberosFile, .source: nil
    }
  }

  /// As one that is given back; nil for what is not (storage.md 9.9.1).
  var readable: GivenCredential? {
    guard case .complete(var credential) = self, credential.limits.methods.isEmpty else { return nil }
    switch credential.kind {
    // Readers such as Docker's take texts only.
    case .password(_, let password) where !password.isUTF8: return nil
    case .password, .token: credential.isReadable = true
    case .trust, .identity, .kerberos: return nil
    }
    return .complete(credential)
  }

  /// As a key, which always goes with the first request.
  var asKey: GivenCredential {
    switch self {
    case .complete(var credential):
      credential.isPreemptive = true
      return .complete(credential)
    case .source(let name, let persistence, let limits, _, let prefix):
      return .source(name, persistence: persistence, limits: limits, isPreemptive: true, prefix: prefix)
    case .identity, .kerberosFile: return self
    }
  }

  package var storedKind: SessionState.StoredKind {
    switch self {
    case .complete(let credential): credential.storedKind
    case .identity(.new(let identity), _, _): identity.storedKind
    case .identity(.stored, _, _): .identity
    case .kerberosFile: .kerberos
    // Of a source there is only what lasts as long as the session.
    case .source: .password
    }
  }

  package var persistence: Persistence {
    switch self {
    case .complete(let credential): credential.persistence
    case .identity(_, let persistence, _), .kerberosFile(_, let persistence, _),
      .source(_, let persistence, _, _, _):
      persistence
    }
  }
}

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

extension Base64 {
  /// Decodes a secret text without any other copy of its bytes.
  static func decode(_ text: Secret) -> Secret? {
    text.withBytes { text in
      let text = text.assumingMemoryBound(to: UInt8.self)
      guard let count = decodedCount(text) else { return nil }
      var isSound = false
      let bytes = Secret(count: count) { isSound = decode(text, into: $0) }
      return isSound ? bytes : nil
    }
  }
}
