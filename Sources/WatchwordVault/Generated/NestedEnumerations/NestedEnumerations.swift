// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Vault.Opener {
  /// What opens a vault.
  package enum Kind: String, CaseIterable, Sendable {
    /// A file with a key.
    case keyFile
    /// A key that a desktop session keeps.
    case secretService
    /// A credential of the daemon's unit, of any contents: a key is made of it as of a passphrase.
    case systemdCredential
    /// The passphrase of a person.
    case passphrase
  }
}
