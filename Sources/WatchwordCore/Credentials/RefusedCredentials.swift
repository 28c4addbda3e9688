internal import WatchwordVocabulary

/// Userinfo of URLs that their spaces have refused: no task of the session sends it there again (storage.md
/// 9.2.2 and methods.md 15.7).
struct RefusedUserinfo: Sendable {
  /// Spaces for which this is remembered, and userinfo of each; beyond it a refused one is tried again.
  private static let (spaceCapacity, capacity) = (1024, 16)

  private var spaces: [ProtectionSpace: Set<CredentialMark>] = [:]

  func contains(_ kind: Credential.Kind, in space: ProtectionSpace) -> Bool {
    spaces[space]?.contains(CredentialMark(kind)) ?? false
  }

  /// A space of the origin that has refused it.
  func space(of kind: Credential.Kind, at origin: Origin) -> ProtectionSpace? {
    guard !spaces.isEmpty else { return nil }
    let mark = CredentialMark(kind)
    return spaces.first { $0.key.origin == origin && $0.value.contains(mark) }?.key
  }

  mutating func insert(_ kind: Credential.Kind, in space: ProtectionSpace) {
    let known = spaces[space] ?? []
    guard known.count < Self.capacity, !known.isEmpty || spaces.count < Self.spaceCapacity else { return }
    spaces[space] = known.union([CredentialMark(kind)])
  }

  /// - Returns: How many refusals there were.
  mutating func forget(where isConcerned: (ProtectionSpace) -> Bool) -> Int {
    let concerned = spaces.filter { isConcerned($0.key) }
    for space in concerned.keys { spaces[space] = nil }
    return concerned.values.reduce(0) { $0 + $1.count }
  }
}

/// Credentials that servers have refused, wherever they are from: another task that has chosen the same one
/// and not sent it yet does not send it (methods.md 8.1).
///
/// A task that chooses it later is not concerned: a reply may give it again, because an account was unlocked.
struct RefusedOutside: Sendable {
  private struct Refusal: Hashable {
    let space: ProtectionSpace
    let mark: CredentialMark
  }

  /// A server that names another realm each time would otherwise make it grow.
  private static let capacity = 1024

  /// That of the last refusal.
  private(set) var number: UInt64 = 0
  private var refusals: [Refusal: UInt64] = [:]

  mutating func note(_ kind: Credential.Kind, in space: ProtectionSpace) {
    number += 1
    if refusals.count >= Self.capacity { refusals.removeAll() }
    refusals[Refusal(space: space, mark: CredentialMark(kind))] = number
  }

  /// It is right again: the account was unlocked.
  mutating func noteAcceptance(of kind: Credential.Kind, in space: ProtectionSpace) {
    guard !refusals.isEmpty else { return }
    refusals[Refusal(space: space, mark: CredentialMark(kind))] = nil
  }

  /// Whether it was refused after the refusal of this number.
  func hasRefused(_ kind: Credential.Kind, in space: ProtectionSpace, after number: UInt64) -> Bool {
    guard number < self.number else { return false }
    return refusals[Refusal(space: space, mark: CredentialMark(kind))].map { $0 > number } ?? false
  }
}
