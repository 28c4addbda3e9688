internal import WatchwordCore
internal import WatchwordVault

/// What the records of a vault are.
struct VaultContents: Sendable {
  var credentials: [PermanentCredentials.Entry] = []
  var trust = PermanentTrust()
  /// Records that do not open, or that this version does not understand.
  var unreadable = 0

  init(credentials: [PermanentCredentials.Entry], trust: PermanentTrust) {
    self.credentials = credentials
    self.trust = trust
  }

  init(_ contents: Vault.Contents, _ clocks: CredentialRecord.Clocks) {
    let records = contents.records.filter { $0.kind == .credential }
    credentials = records.compactMap { CredentialRecord.entry(of: $0, clocks) }
    let (trust, unreadable) = TrustRecords.trust(in: contents.records)
    self.trust = trust
    self.unreadable = contents.unreadable + records.count - credentials.count + unreadable
  }
}

/// What one transaction writes and removes.
struct VaultChanges: Sendable {
  var credentials: [PermanentCredentials.Entry] = []
  var removedCredentials: [UInt64] = []
  /// The decisions after it, and how they differ from those of the vault.
  var trust: (after: PermanentTrust, difference: PermanentTrust.Difference)?

  var isEmpty: Bool {
    credentials.isEmpty && removedCredentials.isEmpty && trust?.difference.isEmpty ?? true
  }

  func records(_ clocks: CredentialRecord.Clocks) throws(VaultFault) -> [VaultRecord] {
    let records = credentials.compactMap { CredentialRecord.record(of: $0, clocks) }
    guard records.count == credentials.count else { throw .unavailable("a credential that cannot be kept") }
    guard let trust else { return records }
    guard let decisions = TrustRecords.records(of: trust.difference, in: trust.after) else {
      throw .unavailable("the decision cannot be written down")
    }
    return records + decisions
  }

  var removed: [UInt64] {
    removedCredentials + (trust?.difference.removed.map(TrustRecords.number) ?? [])
  }
}
