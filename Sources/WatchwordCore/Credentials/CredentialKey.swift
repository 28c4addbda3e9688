package import WatchwordVocabulary

/// Where a credential is kept. Text counts byte by byte, as in ``Bytewise``.
package struct CredentialKey: Hashable, Sendable {
  private let parts: KeyParts

  package var space: ProtectionSpace { parts.space }
  package var user: String? { parts.user.wrappedValue }
  /// Of one that is kept beside the user's others; nil: of the whole space.
  package var path: String? { parts.path.wrappedValue }

  package init(space: ProtectionSpace, user: String?, path: String? = nil) {
    parts = KeyParts(space, user, path)
  }

  /// Where the credential is kept for a space.
  package init(_ credential: Credential, for space: ProtectionSpace) {
    self.init(space: space, user: credential.user, path: credential.path)
  }

  /// The same user and path in any realm.
  var ofAnyRealm: CredentialKey { CredentialKey(space: space.ofAnyRealm, user: user, path: path) }

  /// The one object of a key that was handed on is compared first.
  package static func == (left: CredentialKey, right: CredentialKey) -> Bool {
    left.parts === right.parts || left.parts.hasContents(of: right.parts)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.hash)
  }
}

/// What a key consists of. On the heap, with its hash: every fetch with a credential looks its key up and
/// copies it.
private final class KeyParts: Sendable {
  let space: ProtectionSpace
  let user: Bytewise<String?>
  let path: Bytewise<String?>
  let hash: Int

  init(_ space: ProtectionSpace, _ user: String?, _ path: String?) {
    self.space = space
    self.user = Bytewise(wrappedValue: user)
    self.path = Bytewise(wrappedValue: path)
    var hasher = Hasher()
    hasher.combine(space)
    hasher.combine(self.user)
    hasher.combine(self.path)
    hash = hasher.finalize()
  }

  func hasContents(of other: KeyParts) -> Bool {
    hash == other.hash && space == other.space && user == other.user && path == other.path
  }
}

/// What has become of a credential at its key, as holders are told.
package enum CredentialChange: String, Sendable {
  case added
  case removed
  case replaced
}
