package import WatchwordSecret

/// The parameters of `vault/passphrase`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct VaultPassphraseParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret
  /// What opens the vault without a person does so in future, too.
  package let keepOthers: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
    keepOthers = try reader["keepOthers"]?.bool() ?? false
  }
}
