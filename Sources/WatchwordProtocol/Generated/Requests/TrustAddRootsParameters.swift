/// The parameters of `trust/addRoots`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct TrustAddRootsParameters: MethodParameters {
  /// Certificates in PEM.
  package let certificates: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    certificates = try reader.required("certificates").string(maximumBytes: 1_048_576, minimumBytes: 1)
  }
}
