internal import WatchwordTransport
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `identity/*`: the client certificates of a session.
@ReactorActor
enum IdentityMethods {
  static func add(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try IdentityAdd.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    _ = try session.place(for: parameters.persistence, of: .identity, path: "params.persistence")
    try IdentityReading.begin(parameters.identity, on: daemon.tokens, for: call) {
      [unowned daemon] read throws(RPCError) in
      guard !session.isOver else {
        throw RPCError(.sessionInvalidated, "session \(session.name) has ended")
      }
      try session.add(read, limits: parameters.limits)
      call.succeed { $0.object("identity", read.identity.identifier) }
      daemon.noteChange()
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    let identities = session.currentIdentities.map { IdentityDescription($0, now: now, wallClock: wallClock) }
    call.succeed("identities", identities) { $0.write(to: &$1) }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try IdentityRemove.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let removed = session.removeIdentities(parameters.identity)
    call.succeed(removed: removed)
    if removed > 0 { daemon.noteChange() }
  }
}
