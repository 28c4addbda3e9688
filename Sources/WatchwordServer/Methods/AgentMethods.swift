internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// `agent/forget`.
@ReactorActor
enum AgentMethods {
  static func forget(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    _ = try NoParameters(object)
    daemon.forget(call.peer.process.uid, for: call.peer.process.pid) {
      call.succeed { $0.emptyObject() }
    }
  }
}
