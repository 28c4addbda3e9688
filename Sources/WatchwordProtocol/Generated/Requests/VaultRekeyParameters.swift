/// The parameters of `vault/rekey`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct VaultRekeyParameters: MethodParameters {
  package enum Opener: String, CaseIterable, Sendable {
    case keyFile
    case secretService
  }

  /// What opens the vault without a person from now on; left out, what did.
  package let opener: Opener?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    opener = try reader["opener"]?.enumeration(Opener.self)
  }
}
