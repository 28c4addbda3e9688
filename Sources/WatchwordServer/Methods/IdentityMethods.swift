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
    let limits = parameters.limits ?? CredentialLimits()
    call.begin { () async throws(RPCError) in
      let read = try await IdentityReading.read(parameters.identity, on: daemon.tokens, for: call)
      guard !session.isOver else { throw .sessionInvalidated("session \(session.name) has ended") }
      if place == .account {
        let record = UseRecord(limits: limits, created: EventLoop.shared.now)
        return try await PermanentIdentity.keep(read, record, for: nil, in: session) {
          call.succeed(Sent.AddedIdentity(identity: $0.identifier))
        }
      }
      try session.add(read, limits: limits)
      call.succeed(Sent.AddedIdentity(identity: read.identity.identifier))
      daemon.noteChange()
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
      call.proceed { () throws(RPCError) in
        let count = try result.value()
        finish(daemon, call, removed: count + session.removeIdentities(parameters.identity))
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
  static func read(
    _ new: NewIdentity, on tokens: TokenHost, for call: Call
  ) async throws(RPCError) -> ClientIdentity {
    let peer = call.peer
    guard peer.identitiesInReading < Limits.identitiesInReading else {
      throw .limitExceeded(
        "more than \(Limits.identitiesInReading) identities at once", limit: "identitiesInReading")
    }
    let wallClock = Clock.wallSeconds()
    let outcome: Result<ClientIdentity, IdentityFault>
    switch new {
    case .material(let material):
      peer.identitiesInReading += 1
      outcome = try await call.wait { end in
        ComputingLane.submit(for: peer.process.uid) {
          Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock) }
        } then: { result in
          // Also when the call was cancelled: the work went on.
          peer.identitiesInReading -= 1
          end(result)
        }
      }
    case .token(let key):
      outcome = try await call.wait { end throws(RPCError) in
        let opening = try TokenMethods.open(key, on: tokens, for: peer.process.uid, wallClock: wallClock) {
          peer.identitiesInReading -= 1
          end($0)
        }
        peer.identitiesInReading += 1
        return {
          peer.identitiesInReading -= 1
          opening.cancel()
        }
      }
    }
    do throws(IdentityFault) {
      return try outcome.get()
    } catch {
      throw unusable(error)
    }
  }

  static func unusable(_ fault: IdentityFault) -> RPCError {
    if fault == .outOfMemory { return RPCError.internalError("out of memory") }
    return RPCError.credentialUnusable("the identity cannot be used: \(fault.text)", reason: fault)
  }
}

/// Identities that are written to the disk before a caller hears that they are accepted.
@ReactorActor
enum PermanentIdentity {
  /// Keeps an identity in the vault of the account.
  ///
  /// - Parameters:
  ///   - record: its limits and uses.
  ///   - origin: the only one that it is for.
  ///   - call: when it is cancelled or its connection ends meanwhile, nothing is kept; nil: it is kept in any
  ///     case.
  ///   - accept: called as soon as it is on the disk, before anybody else hears of it. When it throws,
  ///     nothing has changed.
  static func keep(
    _ key: ClientIdentity, _ record: UseRecord, for origin: Origin?, in session: SessionDriver,
    unlessOver call: Call? = nil, accept: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) async throws(RPCError) {
    let kept = try kept(key, in: session)
    let draft = PermanentIdentities.Draft(kept, for: origin, record: record)
    let charge = session.charge.another()
    guard charge.grow(by: draft.heldBytes) else { throw .overBudget }
    let account = try session.keptAccount
    let write: @ReactorActor (@escaping @ReactorActor (Result<Void, RPCError>) -> Void) -> Void = { end in
      account.add(draft, with: key) { result in
        charge.giveBack()
        let outcome = Result { () throws(RPCError) in
          try result.value()
          if let call, call.isOver { throw Call.cancelled }
          try accept(kept.identity)
        }
        end(outcome)
        if case .success = outcome { return true } else { return false }
      }
    }
    if let call { try await call.wait(for: write).get() } else { try await completion(of: write).get() }
  }

  /// What is kept of an identity.
  private static func kept(_ read: ClientIdentity, in session: SessionDriver) throws(RPCError) -> KeptIdentity
  {
    guard read.identity.token == nil else {
      throw RPCError(.memoryOnly(.tokenIdentity), at: "params", in: session.name)
    }
    guard let kept = read.kept() else { throw IdentityReading.unusable(.outOfMemory) }
    guard !kept.isTooLarge else { throw IdentityReading.unusable(.tooLarge) }
    return kept
  }
}
