package import WatchwordCore

extension VaultExport {
  /// Every credential among the records of a file, or none: each can be used and kept as it is.
  package static func credentials(
    in records: [VaultRecord], _ clocks: CredentialRecord.Clocks
  ) throws(Fault) -> [ImportedCredential] {
    var credentials: [ImportedCredential] = []
    for record in records where record.kind == .credential {
      // For example a limit that this version does not know.
      guard let entry = CredentialRecord.entry(of: record, clocks) else { throw .newerVersion }
      guard CredentialCheck.fault(of: entry.credential, for: entry.space) == nil else { throw .unusable }
      credentials.append(ImportedCredential(entry))
    }
    return credentials
  }
}
