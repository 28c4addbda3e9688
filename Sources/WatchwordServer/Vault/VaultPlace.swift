internal import WatchwordSecret
internal import WatchwordVault

/// Where a vault is, and the credential of systemd that opens it.
struct VaultPlace: Sendable {
  let state: StatePlace
  /// Its name, from the administrator's configuration; nil: there is none.
  let systemdCredential: String?

  var path: String { state.path }

  /// What is at hand to open the vault with. Blocks.
  func keys(_ passphrase: Secret? = nil) -> Vault.GivenKeys {
    guard let systemdCredential else { return Vault.GivenKeys(passphrase: passphrase) }
    let contents = try? SystemdCredential.contents(of: systemdCredential)
    guard let contents, !contents.isEmpty else {
      return Vault.GivenKeys(passphrase: passphrase, missingCredential: systemdCredential)
    }
    return Vault.GivenKeys(passphrase: passphrase, systemdCredential: contents)
  }
}
