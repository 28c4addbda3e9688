/// The parameters of `initialize`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct InitializeParameters: MethodParameters {
  /// The members of `capabilities`.
  package struct Capabilities: Sendable {
    /// This connection can receive descriptors.
    package let descriptors: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      descriptors = try reader["descriptors"]?.bool() ?? false
    }
  }

  /// What the caller calls itself; shown to people.
  package let name: String?
  package let version: String?
  package let protocolVersion: String?
  package let capabilities: Capabilities?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader["name"]?.string(maximumBytes: 256)
    version = try reader["version"]?.string(maximumBytes: 256)
    protocolVersion = try reader["protocolVersion"]?.protocolVersion()
    capabilities = try reader["capabilities"]?.object(Capabilities.init)
  }
}
