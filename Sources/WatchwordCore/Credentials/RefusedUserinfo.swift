internal import WatchwordVocabulary

/// Userinfo of proxies' URLs that their spaces have refused: it is not sent again once a delegate has given another
/// credential.
struct RefusedUserinfo: Sendable {
  /// Spaces, and userinfo of each, for which this is remembered; beyond it a refused one is tried by each task.
  private static let capacity = 16

  private var spaces: [ProtectionSpace: [Credential.Kind]] = [:]

  var isEmpty: Bool { spaces.isEmpty }

  func contains(_ kind: Credential.Kind, in space: ProtectionSpace) -> Bool {
    spaces[space]?.contains(kind) ?? false
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

  /// Whether a delegate has given a credential for a space that has refused this userinfo, which is not sent again then.
  func isReplaced(_ userinfo: Credential.Kind, in space: ProtectionSpace) -> Bool {
    refusedUserinfo.contains(userinfo, in: space) && defaultEntry(of: space) != nil
  }

  /// The same for any space of the proxy.
  func isReplaced(_ userinfo: Credential.Kind, at proxy: Origin) -> Bool {
    !refusedUserinfo.isEmpty && table.spaces(of: proxy).contains { isReplaced(userinfo, in: $0) }
  }
}
