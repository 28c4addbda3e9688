extension VaultTransaction {
  /// What is written and removed.
  package struct Written: Sendable {
    package internal(set) var credentials: [PermanentCredentials.Entry] = []
    package internal(set) var removedCredentials: [UInt64] = []
    /// The decisions after it, and how they differ from those of the vault.
    package private(set) var trust: (after: PermanentTrust, difference: PermanentTrust.Difference)?
    /// The same for the client identities.
    package private(set) var identities:
      (after: PermanentIdentities, difference: PermanentIdentities.Difference)?

    package var isEmpty: Bool {
      credentials.isEmpty && removedCredentials.isEmpty && trust?.difference.isEmpty ?? true
        && identities?.difference.isEmpty ?? true
    }

    mutating func note(_ after: PermanentTrust, over stored: PermanentTrust) {
      trust = (after, after.difference(from: stored))
    }

    mutating func note(_ after: PermanentIdentities, over stored: PermanentIdentities) {
      identities = (after, after.difference(from: stored))
    }
  }
}
