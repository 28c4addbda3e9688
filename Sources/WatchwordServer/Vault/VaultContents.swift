internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVault

/// What the records of a vault are.
struct VaultContents: Sendable {
  var credentials: [CachedCredential] = []
  var trust = PermanentTrust()
  var identities: [PermanentIdentities.StoredIdentity] = []
  /// By the ids of the identities.
  var keys: [String: ClientIdentity] = [:]
  /// Records that do not open, or that this version does not understand.
  var unreadable = 0

  init(
    credentials: [CachedCredential], trust: PermanentTrust, identities: [PermanentIdentities.StoredIdentity]
  ) {
    self.credentials = credentials
    self.trust = trust
    self.identities = identities
  }

  init(_ contents: Vault.Contents, _ clocks: CredentialRecord.Clocks) {
    let records = contents.records.filter { $0.kind == .credential }
    credentials = records.compactMap { CredentialRecord.entry(of: $0, clocks) }
    let (trust, unreadable) = TrustRecord.trust(in: contents.records)
    self.trust = trust
    let identities = IdentityRecords(contents.records, clocks)
    self.identities = identities.entries
    keys = identities.keys
    self.unreadable =
      contents.unreadable + records.count - credentials.count + unreadable + identities.unreadable
  }

  /// As a file has them.
  func exported(_ clocks: CredentialRecord.Clocks) -> [VaultRecord] {
    credentials.compactMap { CredentialRecord.record(of: $0, clocks) }
      + trust.all.compactMap(TrustRecord.record) + identities.map { IdentityRecord.record(of: $0, clocks) }
  }
}

extension VaultHoldings {
  init(_ contents: VaultContents) {
    self.init(credentials: contents.credentials, trust: contents.trust, identities: contents.identities)
  }
}

extension VaultTransaction.Written {
  func records(_ clocks: CredentialRecord.Clocks) throws(VaultFault) -> [VaultRecord] {
    var records = credentials.compactMap { CredentialRecord.record(of: $0, clocks) }
    guard records.count == credentials.count else { throw .unavailable("a credential that cannot be kept") }
    records += identities?.difference.written.map { IdentityRecord.record(of: $0, clocks) } ?? []
    guard let trust else { return records }
    guard let decisions = TrustRecord.records(of: trust.difference, in: trust.after) else {
      throw .unavailable("the decision cannot be written down")
    }
    return records + decisions
  }

  var removed: [UInt64] {
    removedCredentials + (trust?.difference.removed.map(TrustRecord.number) ?? [])
      + (identities?.difference.removed.map(IdentityRecord.number) ?? [])
  }
}
