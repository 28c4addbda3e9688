package import WatchwordSecret

/// The parameters of `vault/init`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct VaultInitParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader["passphrase"]?.secret(maximumBytes: 1024, minimumBytes: 1)
  }
}
