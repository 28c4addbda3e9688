package import WatchwordSecret

/// The parameters of `agent/lock`, `agent/unlock`. Made from `protocol/openrpc.json` by
/// `protocol/generate`.
package struct PassphraseParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
  }
}
