internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `identity/*`: the client certificates of a session, and the permanent ones of its account.
@ReactorActor
enum IdentityMethods {
  static func add(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try IdentityAddParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let place = try session.place(
      for: parameters.persistence, of: parameters.identity.storedKind, path: "params.persistence")
    try IdentityReading.begin(parameters.identity, on: daemon.tokens, for: call) {
      [unowned daemon] read throws(RPCError) in
      guard !session.isOver else {
        throw .sessionInvalidated("session \(session.name) has ended")
      }
      if place == .account {
        return try keep(daemon, read, parameters.limits ?? CredentialLimits(), in: session, call)
      }
      try session.add(read, limits: parameters.limits ?? CredentialLimits())
      call.succeed(Sent.AddedIdentity(identity: read.identity.identifier))
      daemon.noteChange()
    }
  }

  /// Replies when the identity is on the disk.
  private static func keep(
    _ daemon: Daemon, _ read: ClientIdentity, _ limits: CredentialLimits, in session: Session, _ call: Call
  ) throws(RPCError) {
    let kept = try PermanentIdentityReply.kept(read, in: session)
    let record = UseRecord(limits: limits, created: EventLoop.shared.now)
    let draft = PermanentIdentities.Draft(kept, for: nil, record: record)
    let charge = try PermanentIdentityReply.charge(for: draft, in: session)
    session.account?.add(draft, with: read) { result in
      charge.giveBack()
      call.proceed(with: result) { call.succeed(Sent.AddedIdentity(identity: kept.identity.identifier)) }
      return true
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    session.account?.forgetExpired()
    let identities =
      session.currentIdentities.map { Sent.Identity($0, now: now, wallClock: wallClock) }
      + (session.account?.identities.all ?? []).map {
        Sent.Identity($0, now: now, wallClock: wallClock)
      }
    call.succeed(Sent.IdentityList(identities: identities))
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try IdentityRemoveParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    guard let account = session.account else {
      return finish(daemon, call, removed: session.removeIdentities(parameters.identity))
    }
    // The disk comes first: if that fails, nothing has changed.
    account.removeIdentities(parameters.identity) { [unowned daemon] result in
      call.proceed(with: result) {
        finish(daemon, call, removed: $0 + session.removeIdentities(parameters.identity))
      }
    }
  }

  private static func finish(_ daemon: Daemon, _ call: Call, removed: Int) {
    call.succeed(Sent.Removal(removed: removed))
    if removed > 0 { daemon.noteChange() }
  }
}

/// Reads identities outside the loop: a key may take a second to decrypt, and a token has no time limit.
@ReactorActor
enum IdentityReading {
  /// Passes the identity on, or fails the call with its fault.
  ///
  /// - Parameter then: may throw the error that fails the call.
  static func begin(
    _ new: NewIdentity, on tokens: TokenHost, for call: Call,
    then: @escaping @ReactorActor (ClientIdentity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let peer = call.peer
    guard peer.identitiesInReading < Limits.identitiesInReading else {
      throw .limitExceeded(
        "more than \(Limits.identitiesInReading) identities at once", limit: "identitiesInReading")
    }
    let wallClock = Clock.wallSeconds()
    // Nil: the call has ended.
    let finish: @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void = { result in
      peer.identitiesInReading -= 1
      guard let result else { return }
      call.proceed { () throws(RPCError) in try then(identity(result)) }
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
    call.mayStop()
    ComputingLane.submit(for: call.peer.process.uid) {
      Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock) }
    } then: { result in
      then(call.isOver ? nil : result)
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
    if fault == .outOfMemory { return RPCError.internalError("out of memory") }
    return RPCError.credentialUnusable("the identity cannot be used: \(fault.text)", reason: fault)
  }
}

/// A reply to a challenge with a permanent identity: written to the disk first, then accepted.
@ReactorActor
enum PermanentIdentityReply {
  /// The challenge stays pending until the identity is on the disk. If the write fails, or the challenge has ended
  /// before, the reply is refused and nothing has changed.
  ///
  /// - Parameter record: its limits and uses.
  static func begin(
    _ key: ClientIdentity, _ record: UseRecord, for origin: Origin, in session: Session, _ call: Call,
    then: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let draft = PermanentIdentities.Draft(try kept(key, in: session), for: origin, record: record)
    let charge = try charge(for: draft, in: session)
    call.mayStop()
    session.account?.add(draft, with: key) { result in
      charge.giveBack()
      switch result {
      case .failure(let fault):
        call.fail(RPCError(fault))
        return false
      case .success where call.isOver: return false
      case .success:
        do throws(RPCError) {
          try then(key.identity)
          return true
        } catch {
          call.fail(error)
          return false
        }
      }
    }
  }

  /// What it takes until it is on the disk, if there may be so much.
  static func charge(
    for draft: PermanentIdentities.Draft, in session: Session
  ) throws(RPCError) -> MemoryCharge {
    let charge = session.charge.another()
    guard charge.grow(by: draft.heldBytes) else { throw .overBudget }
    return charge
  }

  /// What is kept of an identity.
  static func kept(_ read: ClientIdentity, in session: Session) throws(RPCError) -> KeptIdentity {
    guard read.identity.token == nil else {
      throw RPCError(.memoryOnly(.tokenIdentity), at: "params", in: session.name)
    }
    guard let kept = read.kept() else { throw IdentityReading.unusable(.outOfMemory) }
    guard !kept.isTooLarge else { throw IdentityReading.unusable(.tooLarge) }
    return kept
  }
}
