internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// `trust/*`: the decisions of a session about servers' certificates.
@ReactorActor
enum TrustMethods {
  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (session.now, session.wallClock)
    let decisions = session.trust.all.map { TrustDescription($0, now: now, wallClock: wallClock) }
    call.succeed("trust", decisions) { $0.write(to: &$1) }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try TrustRemove.Parameters(object)
    let origin = try parameters.origin.map { text throws(RPCError) in
      try URLParameter.parse(text, path: "params.origin").origin
    }
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    // An id that is no number is nobody's.
    let removed =
      parameters.trust != nil && parameters.trust.flatMap(UInt64.init) == nil
      ? 0 : session.removeTrust(identifier: parameters.trust.flatMap(UInt64.init), origin: origin)
    call.succeed(removed: removed)
    if removed > 0 { daemon.noteChange() }
  }
}
