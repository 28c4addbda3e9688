internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// `challenge/*`.
@ReactorActor
enum ChallengeMethods {
  static func reply(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try ChallengeReply.Parameters(object)
    let (session, challenge) = try find(daemon, call.peer, parameters.challenge)
    switch parameters.credential?.persistence {
    case .permanent, .synchronizable:
      return try PermanentTrustReply.begin(daemon, parameters, for: challenge, in: session, call)
    case .none?, .forSession, nil: break
    }
    switch parameters.credential {
    case nil: try settle(parameters, with: nil, in: session, call)
    case .complete(let credential): try settle(parameters, with: credential, in: session, call)
    case .identity(let source, let persistence, let limits):
      guard challenge.question.space.authenticationMethod == .clientCertificate else {
        throw unusable(CredentialFault.wrongKind.text, CredentialFault.wrongKind.rawValue)
      }
      try find(source, on: daemon.tokens, keeping: persistence, limits, for: challenge, in: session, call) {
        identity throws(RPCError) in
        try settle(
          parameters, with: Credential(.identity(identity), persistence: persistence), in: session, call)
      }
    }
  }

  /// Finds or reads the identity of a reply; the challenge goes on being pending meanwhile.
  private static func find(
    _ source: IdentitySource, on tokens: TokenHost, keeping persistence: Persistence,
    _ limits: CredentialLimits,
    for challenge: PendingChallenge, in session: Session, _ call: Call,
    then: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) throws(RPCError) {
    switch source {
    case .stored(let identifier):
      session.forgetIdentitiesThatAreOver()
      guard let entry = session.identities.entry(identifier) else {
        throw RPCError(.credentialNotFound, "no identity \(identifier) in this session")
      }
      if let fault = entry.identity.fault(at: session.wallClock) {
        throw unusable(fault.text, fault.rawValue)
      }
      try then(entry.identity)
    case .new(let identity):
      let origin = challenge.question.space.origin
      try IdentityReading.begin(identity, on: tokens, for: call) { read throws(RPCError) in
        // Nothing is kept of an answer that comes too late, or from somebody who has left meanwhile.
        guard !session.isOver, let pending = session.board.challenge(challenge.identifier),
          session.board.isEntitled(call.peer.identifier, to: pending)
        else { throw notPending }
        if persistence == .none {
          session.lend(read)
        } else {
          try session.add(read, for: origin, limits: limits)
        }
        defer { session.forgetLentKeys() }
        try then(read.identity)
      }
    }
  }

  static func settle(
    _ parameters: ChallengeReply.Parameters, with credential: Credential?, in session: Session, _ call: Call
  ) throws(RPCError) {
    do throws(ChallengeBoard.ReplyFault) {
      let effects = try session.accept(
        parameters.challenge, by: call.peer.identifier, parameters.disposition, credential)
      // The answerer hears that it was accepted before it hears what came of it.
      call.succeed(ChallengeReply.write)
      session.perform(effects)
    } catch {
      switch error {
      case .notPending: throw notPending
      case .notAllowed(let rule): throw notAllowed(rule)
      case .unusable(let fault):
        throw unusable(fault.text, fault.rawValue)
      }
    }
  }

  static func notAllowed(_ rule: String) -> RPCError {
    RPCError(
      .dispositionNotAllowed, "the administrator's rule \(rule) forbids to accept this chain",
      details: ["rule": .string(rule)])
  }

  static func unusable(_ text: String, _ reason: String) -> RPCError {
    RPCError(
      .credentialUnusable, "the credential cannot answer this challenge: \(text)",
      details: ["reason": .string(reason)])
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try SessionParameters(object)
    let sessions =
      parameters.session == nil
      ? daemon.registry.all
      : [try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)]
    let challenges = sessions.flatMap { session in
      session.board.pending.filter { session.board.isEntitled(call.peer.identifier, to: $0) }
        .map { daemon.describe($0, in: session, for: call.peer) }
    }
    call.succeed("challenges", challenges) { $0.write(to: &$1) }
  }

  static func describe(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let (session, challenge) = try find(daemon, call.peer, ChallengeParameters(object).challenge)
    let description = daemon.describe(challenge, in: session, for: call.peer)
    call.succeed(description.write)
  }

  /// The challenge, if it exists for this peer.
  private static func find(
    _ daemon: Daemon, _ peer: Peer, _ identifier: String
  ) throws(RPCError) -> (Session, PendingChallenge) {
    for session in daemon.registry.all {
      if let challenge = session.board.challenge(identifier),
        session.board.isEntitled(peer.identifier, to: challenge)
      {
        return (session, challenge)
      }
    }
    throw notPending
  }

  private static let notPending = RPCError(.challengeNotPending, "no such challenge is pending")
}
