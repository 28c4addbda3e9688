internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `challenge/*`.
@ReactorActor
enum ChallengeMethods {
  static func reply(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try ChallengeReply.Parameters(object)
    let (session, challenge) = try find(daemon, call.peer, parameters.challenge)
    if let passphrase = parameters.passphrase {
      guard challenge.question.space.authenticationMethod == .agentUnlock else {
        throw unusable(CredentialFault.wrongKind.text, CredentialFault.wrongKind)
      }
      return call.begin { () async throws(RPCError) in
        try await daemon.unlock(session.uid, passphrase, for: call.peer.caller, inReplyTo: session) {
          call.succeed(Sent.AcceptedReply(accepted: true))
        }
      }
    }
    guard let given = parameters.credential else {
      return try pass(parameters, as: .disposition(parameters.disposition, nil), in: session, call)
    }
    let place = try session.place(
      for: given.persistence, of: given.storedKind, isReply: true,
      path: "params.credential.persistence")
    switch given {
    case .complete(let credential):
      if let fault = session.fault(of: credential) { throw unusable(fault.text, fault) }
      guard place == .account else {
        return try pass(parameters, as: .disposition(parameters.disposition, credential), in: session, call)
      }
      call.begin { () async throws(RPCError) in
        if credential.storedKind == .decision {
          return try await PermanentTrustReply.keep(
            daemon, parameters, with: credential, for: challenge, in: session, call)
        }
        try await session.openVault(for: call)
        try pass(parameters, as: .disposition(parameters.disposition, credential), in: session, call)
      }
    // The challenge stays pending while a file, a source or an identity is read.
    case .kerberosFile(let file, let persistence, let limits):
      call.begin { () async throws(RPCError) in
        let source = try await KerberosReading.read(file, for: call, within: daemon.budget)
        let credential = Credential(.kerberos(source), persistence: persistence, limits: limits)
        try pass(parameters, as: .disposition(parameters.disposition, credential), in: session, call)
      }
    case .source(let name, let persistence, let limits, let isPreemptive, let prefix):
      let question = challenge.question
      call.begin { () async throws(RPCError) in
        let reading = try await SourceReading.read(
          name, for: question.space, challenges: question.offeredFields, persistence, limits,
          isPreemptive: isPreemptive, prefix: prefix, in: session, call)
        switch reading {
        case .credential(let credential):
          try pass(parameters, as: .disposition(parameters.disposition, credential), in: session, call)
        case .needsPerson(let binding): try pass(parameters, as: .source(binding), in: session, call)
        }
      }
    case .identity(let source, let persistence, let limits):
      guard challenge.question.space.authenticationMethod == .clientCertificate else {
        throw unusable(CredentialFault.wrongKind.text, CredentialFault.wrongKind)
      }
      let present: @ReactorActor (Identity) throws(RPCError) -> Void = { identity throws(RPCError) in
        let credential = Credential(.identity(identity), persistence: persistence)
        try pass(parameters, as: .disposition(parameters.disposition, credential), in: session, call)
      }
      switch source {
      case .stored(let identifier):
        try use(identifier, in: place, for: challenge, in: session, call, present)
      case .new(let identity):
        call.begin { () async throws(RPCError) in
          let read = try await IdentityReading.read(identity, on: daemon.tokens, for: call)
          try await use(read, in: place, limits, for: challenge, in: session, call, present)
        }
      }
    }
  }

  /// Presents an identity that the session or the account has.
  private static func use(
    _ identifier: String, in place: SessionState.StoragePlace, for challenge: PendingChallenge,
    in session: SessionDriver, _ call: Call,
    _ present: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let origin = challenge.question.space.origin
    guard let entry = session.identity(named: identifier, for: origin),
      let key = session.key(of: identifier)
    else {
      throw unusable(CredentialFault.unknownIdentity.text, CredentialFault.unknownIdentity)
    }
    if let fault = entry.identity.fault(at: Clock.wallSeconds()) {
      throw unusable(fault.text, fault)
    }
    guard place == .account, !entry.isPermanent else { return try present(entry.identity) }
    call.begin { () async throws(RPCError) in
      try await PermanentIdentity.keep(
        key, entry.record, for: origin, in: session, unlessOver: call, accept: present)
    }
  }

  /// Presents an identity that has been read, and keeps it in its place.
  private static func use(
    _ read: ClientIdentity, in place: SessionState.StoragePlace, _ limits: CredentialLimits,
    for challenge: PendingChallenge, in session: SessionDriver, _ call: Call,
    _ present: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) async throws(RPCError) {
    // A reply that comes too late, or from a connection that has left meanwhile, leaves nothing behind.
    guard !session.isOver, session.challenge(challenge.identifier, for: call.peer) != nil else {
      throw notPending
    }
    let origin = challenge.question.space.origin
    switch place {
    case .waitingTasks: try session.lend(read) { () throws(RPCError) in try present(read.identity) }
    case .session:
      try session.add(read, for: origin, limits: limits)
      try present(read.identity)
    case .account:
      let record = UseRecord(
        limits: limits, created: EventLoop.shared.now,
        ways: GivenWays(session.state.callersWays(ofIdentityFor: origin)))
      try await PermanentIdentity.keep(
        read, record, for: origin, in: session, unlessOver: call, accept: present)
    }
  }

  /// Passes the reply on to the session.
  static func pass(
    _ parameters: ChallengeReply.Parameters, as reply: SessionState.Reply, in session: SessionDriver,
    _ call: Call
  ) throws(RPCError) {
    // Until the server has judged it, the tasks that wait for it hold it.
    let raiser = session.state.board.challenge(parameters.challenge)?.raiser.task
    let charge = raiser.flatMap { session.tasks[$0] }?.order.charge
    let bytes = reply.byteCount
    guard charge?.grow(by: bytes) ?? session.hasRoom(for: bytes) else { throw .overBudget }
    do throws(ChallengeBoard.ReplyFault) {
      try session.feed { state throws(ChallengeBoard.ReplyFault) in
        try state.reply(
          parameters.challenge, by: call.peer.identifier, reply, because: parameters.because)
      } acknowledge: { waitedSeconds in
        session.counters.countAnswer(reply.disposition, after: waitedSeconds)
        // The delegate hears that its reply was accepted before it hears of the outcome.
        call.succeed(Sent.AcceptedReply(accepted: true))
      }
    } catch {
      charge?.shrink(by: bytes)
      throw RPCError(error)
    }
  }

  static func notAllowed(_ rule: String) -> RPCError {
    RPCError.dispositionNotAllowed(
      "the administrator's rule \(rule) forbids to accept this chain", rule: rule)
  }

  /// - Parameter source: the word of the source that gave nothing.
  static func unusable(
    _ text: String, _ reason: some RawRepresentable<String>, source: SourceFault? = nil
  ) -> RPCError {
    .credentialUnusable(
      "the credential cannot answer this challenge: \(text)", reason: reason, sourceReason: source?.rawValue)
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try SessionParameters(object)
    let sessions =
      parameters.session == nil
      ? daemon.registry.sessions(of: call.peer.process.uid)
      : [try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)]
    var challenges = ChallengeTexts(in: sessions, for: call.peer, of: daemon)
    call.peer.taker.proceed {
      challenges.describeNext()
    } then: {
      call.succeed(Sent.ChallengeList(challenges: challenges.texts))
    }
  }

  static func describe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let (session, challenge) = try find(daemon, call.peer, ChallengeParameters(object).challenge)
    let description = daemon.describe(challenge, in: session, for: call.peer)
    call.succeed(description.write)
  }

  /// The challenge, if it exists for this peer.
  private static func find(
    _ daemon: Daemon, _ peer: Peer, _ identifier: String
  ) throws(RPCError) -> (SessionDriver, PendingChallenge) {
    for session in daemon.registry.unordered {
      if let challenge = session.challenge(identifier, for: peer) { return (session, challenge) }
    }
    throw notPending
  }

  fileprivate static let notPending = RPCError.challengeNotPending("no such challenge is pending")
}

extension SessionState.Reply {
  /// Of a credential that is used.
  fileprivate var byteCount: Int {
    guard case .disposition(.useCredential, let credential?) = self else { return 0 }
    return credential.byteCount
  }
}

extension RPCError {
  @ReactorActor fileprivate init(_ fault: ChallengeBoard.ReplyFault) {
    self =
      switch fault {
      case .notPending: ChallengeMethods.notPending
      case .notAllowed(let rule): ChallengeMethods.notAllowed(rule)
      case .unusable(let fault): ChallengeMethods.unusable(fault.text, fault)
      }
  }
}
