internal import WatchwordVocabulary

/// What one account keeps permanently: in memory, beside its vault.
package struct VaultHoldings: Sendable {
  package var credentials: PermanentCredentials
  package var trust: PermanentTrust
  package var identities: PermanentIdentities
  /// Those that the vault has: they differ while something is to be written that was taken back, has ended or
  /// was used.
  package internal(set) var storedTrust: PermanentTrust
  package internal(set) var storedIdentities: PermanentIdentities

  /// The contents of a vault.
  package init(
    credentials: [CachedCredential] = [], trust: PermanentTrust = PermanentTrust(),
    identities: [PermanentIdentities.StoredIdentity] = []
  ) {
    self.credentials = PermanentCredentials(credentials)
    self.trust = trust
    self.identities = PermanentIdentities(identities)
    (storedTrust, storedIdentities) = (self.trust, self.identities)
  }

  package var byteCount: Int { credentials.byteCount + trust.byteCount + identities.byteCount }
  package var heldBytes: Int { byteCount + credentials.count * HeldBytes.credential }

  /// What has become of what came with credentials in one import.
  struct Merging {
    var trust = PermanentTrust.Merging()
    var identities = PermanentIdentities.Merging()
  }

  mutating func merge(_ merged: VaultChange.Merged) -> Merging {
    var merging = Merging()
    if case .merged(let decisions) = trust.apply(.merge(merged.decisions)) { merging.trust = decisions }
    if case .merged(let others) = identities.apply(.merge(merged.identities)) { merging.identities = others }
    return merging
  }
}
