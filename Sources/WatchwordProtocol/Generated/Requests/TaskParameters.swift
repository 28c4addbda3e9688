/// The parameters of `task/cancel`, `task/suspend`, `task/resume`, `task/describe`. Made from
/// `protocol/openrpc.json` by `protocol/generate`.
package struct TaskParameters: MethodParameters {
  package let task: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    task = try reader.required("task").name(maximumBytes: 128)
  }
}
