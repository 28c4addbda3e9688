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
        throw RPCError(.sessionInvalidated, "session \(session.name) has ended")
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
      switch result {
      case .success: call.succeed(Sent.AddedIdentity(identity: kept.identity.identifier))
      case .failure(let fault): call.fail(RPCError(fault))
      }
      return true
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    session.account?.forgetExpired()
    let identities =
      session.currentIdentities.map { IdentityDescription($0, now: now, wallClock: wallClock) }
      + (session.account?.identities.all ?? []).map {
        IdentityDescription($0, now: now, wallClock: wallClock)
      }
    call.succeed(Sent.IdentityList(identities: identities.map(\.sent)))
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try IdentityRemoveParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    guard let account = session.account else {
      return finish(daemon, call, removed: session.removeIdentities(parameters.identity))
    }
    // The disk comes first: if that fails, nothing has changed.
    account.removeIdentities(parameters.identity) { [unowned daemon] result in
      switch result {
      case .success(let count):
        finish(daemon, call, removed: count + session.removeIdentities(parameters.identity))
      case .failure(let fault): call.fail(RPCError(fault))
      }
    }
  }

  private static func finish(_ daemon: Daemon, _ call: Call, removed: Int) {
    call.succeed(Sent.Removal(removed: removed))
    if removed > 0 { daemon.noteChange() }
  }
}
