internal import WatchwordVocabulary

/// What a server made of a credential that it was sent.
struct CredentialVerdict: Sendable {
  let outcome: HistoryEntry.Outcome
  let space: ProtectionSpace
  let kind: Credential.Kind
  /// The process that had given it to the session; nil for one on trial.
  let owner: ProcessIdentifier?
}
