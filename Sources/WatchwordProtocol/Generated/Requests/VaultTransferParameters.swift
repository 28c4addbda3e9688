package import WatchwordSecret

/// The parameters of `vault/export`, `vault/import`. Made from `protocol/openrpc.json` by
/// `protocol/generate`.
package struct VaultTransferParameters: MethodParameters {
  /// A regular file, a pipe or a socket that is open for writing.
  package let descriptor: Int
  /// Of the file. Secret.
  package let passphrase: Secret

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader.required("descriptor").integer(in: 0...15)
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
  }
}
