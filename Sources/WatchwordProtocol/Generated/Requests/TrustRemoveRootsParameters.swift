/// The parameters of `trust/removeRoots`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TrustRemoveRootsParameters: MethodParameters {
  /// The SHA-256 that trust/listRoots shows; left out: all.
  package let root: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    root = try reader["root"]?.string(maximumBytes: 64)
  }
}
