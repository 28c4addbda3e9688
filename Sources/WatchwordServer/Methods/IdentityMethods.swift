internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// `identity/*`: the client certificates of a session.
@ReactorActor
enum IdentityMethods {
  static func add(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try IdentityAdd.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    switch parameters.persistence {
    case .forSession: break
    case .none:
      throw .invalidParams("params.persistence", "none is for replies: nothing would be stored")
    case .permanent, .synchronizable:
      throw RPCError(.storageUnavailable, "this version keeps identities in memory only; use forSession")
    }
    try IdentityReading.begin(parameters.material, for: call) { [unowned daemon] read throws(RPCError) in
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
    session.forgetIdentitiesThatAreOver()
    let (now, wallClock) = (session.now, session.wallClock)
    let identities = session.identities.all.map { IdentityDescription($0, now: now, wallClock: wallClock) }
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

/// Reads identities beside the loop: a key may take a second to decrypt.
@ReactorActor
enum IdentityReading {
  /// Hands the identity over, or fails the call with what is wrong with it.
  ///
  /// - Parameter then: may throw what the call is to be failed with.
  static func begin(
    _ material: IdentityMaterial, for call: Call,
    then: @escaping @ReactorActor (ClientIdentity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let peer = call.peer
    guard peer.identitiesInReading < Limits.identitiesInReading else {
      throw RPCError(
        .limitExceeded, "more than \(Limits.identitiesInReading) identities at once",
        details: ["limit": .string("identitiesInReading")])
    }
    peer.identitiesInReading += 1
    var isCancelled = false
    call.onAbandon = { isCancelled = true }
    call.onCancel = { [unowned call] in
      isCancelled = true
      call.fail(RPCError(.requestCancelled, "the caller cancelled it"))
    }
    let wallClock = Clock.wallSeconds()
    BlockingPool.shared.submit {
      Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock) }
    } then: { result in
      peer.identitiesInReading -= 1
      guard !isCancelled else { return }
      do throws(RPCError) {
        try then(identity(result))
      } catch {
        call.fail(error)
      }
    }
  }

  private static func identity(
    _ result: Result<ClientIdentity, IdentityFault>
  ) throws(RPCError) -> ClientIdentity {
    switch result {
    case .success(let identity): return identity
    case .failure(.outOfMemory): throw RPCError(.internalError, "out of memory")
    case .failure(let fault):
      throw RPCError(
        .credentialUnusable, "the identity cannot be used: \(fault.text)",
        details: ["reason": .string(fault.rawValue)])
    }
  }
}
