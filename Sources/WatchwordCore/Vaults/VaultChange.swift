/// A change of what the vault of one account keeps.
package enum VaultChange: Sendable {
  case credentials(PermanentCredentials.Change, merging: Merged)
  case trust(PermanentTrust.Change)
  case identities(PermanentIdentities.Change)

  /// What came with credentials in one import.
  package struct Merged: Sendable {
    package var decisions: [PermanentTrust.Entry]
    package var identities: [PermanentIdentities.Draft]

    package init(decisions: [PermanentTrust.Entry] = [], identities: [PermanentIdentities.Draft] = []) {
      self.decisions = decisions
      self.identities = identities
    }

    var isEmpty: Bool { decisions.isEmpty && identities.isEmpty }
  }

  /// Names a change to whoever waits for it.
  package struct Ticket: Sendable, Hashable {
    let number: UInt64
  }
}

/// What has become of a change. Each is answered once.
package enum VaultAnswer: Sendable {
  case credentials(VaultChange.Ticket, Result<Settled, VaultFault>)
  case trust(VaultChange.Ticket, Result<PermanentTrust.Outcome, VaultFault>)
  case identities(VaultChange.Ticket, Result<PermanentIdentities.Outcome, VaultFault>)

  package struct Settled: Sendable {
    package let alteration: PermanentCredentials.Alteration
    /// Of what came with credentials in one import.
    package internal(set) var trust = PermanentTrust.Merging()
    package internal(set) var identities = PermanentIdentities.Merging()
  }
}

extension VaultFault {
  package static let noRoomForTrust = VaultFault.unavailable(
    "\(PermanentTrust.capacity) decisions are kept, and trust/remove makes room")
  package static let noRoomForIdentities = VaultFault.unavailable(
    "\(PermanentIdentities.capacity) identities are kept, and identity/remove makes room")
  static let noRoomForCredentials = VaultFault.unavailable(
    "the vault has its \(PermanentCredentials.capacity) credentials; credential/remove makes room")
}
