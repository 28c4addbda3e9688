internal import WatchwordVocabulary

/// Userinfo of proxies' URLs that their spaces have refused: no task of the session sends it there again
/// (challenges.md 15.7).
struct RefusedUserinfo: Sendable {
  /// Spaces, and userinfo of each, for which this is remembered; beyond it a refused one is tried by each task.
  private static let capacity = 16

  private var spaces: [ProtectionSpace: [Credential.Kind]] = [:]

  var isEmpty: Bool { spaces.isEmpty }

  func contains(_ kind: Credential.Kind, in space: ProtectionSpace) -> Bool {
    spaces[space]?.contains(kind) ?? false
  }

  func contains(_ kind: Credential.Kind, at proxy: Origin) -> Bool {
    !spaces.isEmpty && spaces.contains { $0.key.origin == proxy && $0.value.contains(kind) }
  }

  mutating func insert(_ kind: Credential.Kind, in space: ProtectionSpace) {
    let known = spaces[space] ?? []
    let count = known.isEmpty ? spaces.count : known.count
    guard !known.contains(kind), count < Self.capacity else { return }
    spaces[space] = known + [kind]
  }
}

extension CredentialCache {
  /// A proxy has refused the userinfo of its URL.
  mutating func noteRefusedUserinfo(_ kind: Credential.Kind, in space: ProtectionSpace) {
    refusedUserinfo.insert(kind, in: space)
  }

  /// Whether a space of the proxy has refused this userinfo, which no task sends again.
  func hasRefusedUserinfo(_ userinfo: Credential.Kind, at proxy: Origin) -> Bool {
    refusedUserinfo.contains(userinfo, at: proxy)
  }
}
