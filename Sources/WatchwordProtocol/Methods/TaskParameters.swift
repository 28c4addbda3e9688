package import WatchwordJSON

/// The parameters of `task/cancel`, `task/suspend`, `task/resume` and `task/describe`.
package struct TaskParameters: Sendable {
  package let task: String

  package init(_ object: JSONObject?) throws(RPCError) {
    task = try ParameterReader.decode(object) { reader throws(RPCError) in try reader.name("task") }
  }
}
