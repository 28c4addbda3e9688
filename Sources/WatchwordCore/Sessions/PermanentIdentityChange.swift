package import WatchwordVocabulary

/// What sessions have to know of a change of the account's permanent identities.
package struct PermanentIdentityChange: Sendable, Equatable {
  package let identifier: String
  /// Nil: any.
  package let origin: Origin?
  package let change: CredentialCache.Change

  package init(_ entry: PermanentIdentities.Entry, _ change: CredentialCache.Change) {
    identifier = entry.identifier
    origin = entry.origin
    self.change = change
  }
}
