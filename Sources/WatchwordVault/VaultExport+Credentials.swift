package import WatchwordCore
package import WatchwordSecret

extension VaultExport {
  /// Every credential of a file, or none: each can be used and kept as it is.
  ///
  /// Takes half a second, and a second at most: never on the loop.
  package static func credentials(
    in file: [UInt8], openedWith passphrase: Secret, _ clocks: CredentialRecord.Clocks
  ) throws(Fault) -> [ImportedCredential] {
    var credentials: [ImportedCredential] = []
    for record in try open(file, with: passphrase) {
      // For example a limit that this version does not know.
      guard let entry = CredentialRecord.entry(of: record, clocks) else { throw .newerVersion }
      guard CredentialCheck.fault(of: entry.credential, for: entry.space) == nil else { throw .unusable }
      credentials.append(ImportedCredential(entry))
    }
    return credentials
  }
}
