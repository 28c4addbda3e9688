internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// `challenge/*`.
@ReactorActor
enum ChallengeMethods {
  static func reply(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try ChallengeReply.Parameters(object)
    let (session, _) = try find(daemon, call.peer, parameters.challenge)
    if let persistence = parameters.credential?.persistence,
      persistence == .permanent || persistence == .synchronizable
    {
      throw RPCError(.storageUnavailable, "this version keeps credentials in memory only; use forSession")
    }
    do throws(ChallengeBoard.ReplyFault) {
      let effects = try session.accept(
        parameters.challenge, by: call.peer.identifier, parameters.disposition, parameters.credential)
      // The answerer hears that it was accepted before it hears what came of it.
      call.succeed(ChallengeReply.write)
      session.perform(effects)
    } catch {
      switch error {
      case .notPending: throw notPending
      case .unusable(let fault):
        throw RPCError(
          .credentialUnusable, "the credential cannot answer this challenge: \(fault.text)",
          details: ["reason": .string(fault.rawValue)])
      }
    }
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
    call.succeed { writer in
      writer.beginObject()
      writer.key("challenges")
      writer.beginArray()
      for challenge in challenges { challenge.write(to: &writer) }
      writer.endArray()
      writer.endObject()
    }
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
