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
      throw RPCError(
        .storageUnavailable,
        "identities are kept in memory only, until there is a sealed vault; use forSession")
    }
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

/// Reads identities beside the loop: a key may take a second to decrypt, and a token as long as it likes.
@ReactorActor
enum IdentityReading {
  /// Hands the identity over, or fails the call with what is wrong with it.
  ///
  /// - Parameter then: may throw what the call is to be failed with.
  static func begin(
    _ new: NewIdentity, on tokens: TokenHost, for call: Call,
    then: @escaping @ReactorActor (ClientIdentity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let peer = call.peer
    guard peer.identitiesInReading < Limits.identitiesInReading else {
      throw RPCError(
        .limitExceeded, "more than \(Limits.identitiesInReading) identities at once",
        details: ["limit": .string("identitiesInReading")])
    }
    let wallClock = Clock.wallSeconds()
    // Nil: nobody waits for it any more.
    let finish: @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void = { result in
      peer.identitiesInReading -= 1
      guard let result else { return }
      do throws(RPCError) {
        try then(identity(result))
      } catch {
        call.fail(error)
      }
    }
    switch new {
    case .material(let material): read(material, for: call, wallClock: wallClock, then: finish)
    case .token(let key):
      try TokenMethods.open(key, on: tokens, for: call, wallClock: wallClock, then: finish)
    }
    peer.identitiesInReading += 1
  }

  private static func read(
    _ material: IdentityMaterial, for call: Call, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void
  ) {
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    BlockingPool.shared.submit {
      Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock) }
    } then: { result in
      then(isCancelled ? nil : result)
    }
  }

  private static func identity(
    _ result: Result<ClientIdentity, IdentityFault>
  ) throws(RPCError) -> ClientIdentity {
    do throws(IdentityFault) {
      return try result.get()
    } catch {
      throw unusable(error)
    }
  }

  static func unusable(_ fault: IdentityFault) -> RPCError {
    if fault == .outOfMemory { return RPCError(.internalError, "out of memory") }
    return RPCError(
      .credentialUnusable, "the identity cannot be used: \(fault.text)",
      details: ["reason": .string(fault.rawValue)])
  }
}
