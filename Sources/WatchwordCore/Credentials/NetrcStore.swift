package import WatchwordVocabulary

/// What a session may use of its netrc, and which entries servers have refused.
package struct NetrcStore: Sendable {
  /// Where an entry was refused.
  private struct Refusal: Hashable {
    let space: ProtectionSpace
    @Bytewise var user: String?
  }

  /// A server that names another realm each time would otherwise make it grow; beyond it no entry is used any
  /// more.
  private static let capacity = 1024

  private let entries: [String: [Netrc.HostLogin]]
  private var refusals: Set<Refusal> = []

  package init(_ netrc: Netrc?) { entries = Dictionary(grouping: netrc?.entries ?? [], by: \.machine) }

  package var isEmpty: Bool { entries.isEmpty }

  /// The first entry of the host, and of the user if one is named, unless a server has refused it in this
  /// space.
  package func credential(for space: ProtectionSpace, user: String?) -> Credential? {
    guard !space.isProxy, refusals.count < NetrcStore.capacity, let entry = entry(of: space.origin, user),
      !refusals.contains(Refusal(space: space, user: entry.user))
    else { return nil }
    return Credential(.password(user: entry.user, password: entry.password))
  }

  /// Whose entry would answer a challenge of this origin.
  func user(for origin: Origin, named user: String?) -> String? { entry(of: origin, user)?.user }

  /// The refused entry that would answer a challenge of this origin.
  func refused(at origin: Origin, named user: String?) -> CredentialKey? {
    guard !refusals.isEmpty, let entry = entry(of: origin, user) else { return nil }
    let refusal = refusals.first {
      $0 == Refusal(space: $0.space, user: entry.user) && $0.space.origin == origin
    }
    return refusal.map { CredentialKey(space: $0.space, user: $0.user) }
  }

  private func entry(of origin: Origin, _ user: String?) -> Netrc.HostLogin? {
    guard !entries.isEmpty, let found = entries[origin.host] else { return nil }
    return found.first { user == nil || Bytewise($0.user) == Bytewise(user ?? "") }
  }

  /// The password would be wrong for every other task, too.
  mutating func noteRefusal(of user: String?, in space: ProtectionSpace) {
    guard refusals.count < NetrcStore.capacity else { return }
    refusals.insert(Refusal(space: space, user: user))
  }

  mutating func forgetRefusals() { refusals = [] }

  /// - Returns: How many refusals there were.
  mutating func forgetRefusals(where isConcerned: (ProtectionSpace) -> Bool) -> Int {
    let count = refusals.count
    refusals = refusals.filter { !isConcerned($0.space) }
    return count - refusals.count
  }
}
