/// The parameters of `$/cancelRequest`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct CancelRequestParameters: MethodParameters {
  package let id: RequestIdentifier

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    id = try reader.required("id").requestIdentifier()
  }
}
