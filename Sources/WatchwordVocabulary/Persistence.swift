/// How long a credential is kept, and who sees it (storage.md 9.1.1).
package enum Persistence: String, Sendable, CaseIterable {
  case none
  case forSession
  case permanent
  case synchronizable

  /// Whether it is kept by the account, on the disk.
  package var isOfAccount: Bool { self == .permanent || self == .synchronizable }

  /// Whether it outlives the tasks that wait for the answer.
  package var outlivesAnswer: Bool { self != .none }
}
