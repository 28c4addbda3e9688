/// The parameters of a method that takes none.
package struct NoParameters: MethodParameters {
  package init(_ reader: inout ParameterReader) throws(RPCError) {}
}
