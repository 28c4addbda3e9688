internal import WatchwordVocabulary

/// Credentials that servers have refused, wherever they are from: another task that has chosen the same one and not
/// sent it yet does not send it (methods.md 8.1).
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
