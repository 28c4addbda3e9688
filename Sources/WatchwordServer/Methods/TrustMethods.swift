internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `trust/*`: the decisions of a session about servers' certificates.
@ReactorActor
enum TrustMethods {
  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    call.succeed(Sent.TrustList(trust: descriptions(of: session)))
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try TrustRemoveParameters(object)
    let origin = try parameters.origin.map { text throws(RPCError) in
      try URLParameter.parse(text, path: "params.origin").origin
    }
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let identifier = parameters.trust
    let number = identifier.flatMap(UInt64.init)
    let permanentNumber = identifier.flatMap(PermanentTrust.number)
    // Any other id names no decision.
    let removeOwn = {
      identifier != nil && number == nil
        ? 0 : session.feed { $0.removeTrust(identifier: number, origin: origin) }
    }
    guard let account = session.account, identifier == nil || permanentNumber != nil else {
      return finish(daemon, call, removed: removeOwn())
    }
    // The disk comes first: if that fails, nothing has changed.
    account.removeTrust(number: permanentNumber, origin: origin) { [unowned daemon] result in
      call.proceed { () throws(RPCError) in
        let count = try result.value()
        if count > 0 { daemon.changes(of: session.uid).add(.trustRemoved) }
        finish(daemon, call, removed: count + removeOwn())
      }
    }
  }

  /// Every decision that the session uses, or those about one origin; its own first.
  static func descriptions(of session: SessionDriver, about origin: Origin? = nil) -> [Sent.TrustDecision] {
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    session.feed { $0.forgetExpiredTrust() }
    let own = session.state.trust.all.filter { origin == nil || $0.decision.origin == origin }
      .map { Sent.TrustDecision($0, now: now, wallClock: wallClock) }
    guard let permanent = session.account?.trust else { return own }
    return own
      + permanent.all.filter { origin == nil || $0.decision.origin == origin }
      .map { Sent.TrustDecision($0, permanent.usage(of: $0)) }
  }

  private static func finish(_ daemon: Daemon, _ call: Call, removed: Int) {
    call.succeed(Sent.Removal(removed: removed))
    if removed > 0 { daemon.noteChange() }
  }
}

/// A reply to a challenge with a permanent decision: written to the disk first, then accepted.
@ReactorActor
enum PermanentTrustReply {
  /// The challenge stays pending until the decision is on the disk. If the write fails, or the challenge has
  /// ended before, the reply is refused and nothing has changed.
  static func keep(
    _ daemon: Daemon, _ parameters: ChallengeReply.Parameters, with credential: Credential,
    for challenge: PendingChallenge, in session: SessionDriver, _ call: Call
  ) async throws(RPCError) {
    let space = challenge.question.space
    guard let trust = space.serverTrust, case .trust(let scope) = credential.kind else {
      throw ChallengeMethods.unusable(CredentialFault.wrongKind.text, CredentialFault.wrongKind)
    }
    if let rule = session.ask({ $0.ruleAgainstTrust(in: challenge.identifier) }) {
      throw ChallengeMethods.notAllowed(rule)
    }
    let account = try session.keptAccount
    let decision = TrustDecision(trust, for: space.origin, scope: scope)
    try await call.wait { end in
      account.record(decision, about: trust) { result in
        // At once: no other session may use a decision that is taken back.
        let outcome = Result { () throws(RPCError) in
          let recording = try result.value()
          do throws(RPCError) {
            guard !call.isOver else { throw Call.cancelled }
            if recording.endsConnections { daemon.changes(of: session.uid).add(.trustRemoved) }
            try ChallengeMethods.pass(
              parameters, as: .disposition(parameters.disposition, credential), in: session, call)
            daemon.noteChange()
          } catch {
            account.takeBack(recording)
            throw error
          }
        }
        end(outcome)
      }
    }.get()
  }
}

/// `trust/addRoots`, `trust/listRoots`, `trust/removeRoots`: the certificate authorities of a user.
@ReactorActor
enum RootMethods {
  static func add(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try TrustAddRootsParameters(object)
    if let rule = daemon.policy.ruleAgainstLoosening {
      throw .policyRefused("the administrator's policy forbids roots of a user: \(rule)", rule: rule)
    }
    call.answer { () async throws(RPCError) in
      let changed = try await change(.add(parameters.certificates), daemon, call)
      return Sent.RootAddition(added: changed.count, roots: changed.named.map(\.sentAsRoot))
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    call.answer { () async throws(RPCError) in
      do throws(UserRootsFile.RootsFileFault) {
        let roots = try await daemon.roots.read(of: call.peer.process.uid)
        return Sent.RootList(roots: roots.all.map(\.sentAsRoot))
      } catch {
        throw RPCError(error)
      }
    }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try TrustRemoveRootsParameters(object)
    call.answer { () async throws(RPCError) in
      Sent.Removal(removed: try await change(.remove(parameters.root), daemon, call).count)
    }
  }

  private static func change(
    _ change: UserRootsFile.Change, _ daemon: Daemon, _ call: Call
  ) async throws(RPCError) -> UserRootsFile.Changed {
    do throws(UserRootsFile.RootsFileFault) {
      return try await daemon.roots.apply(change, of: call.peer.process.uid)
    } catch {
      throw RPCError(error)
    }
  }
}

extension RPCError {
  fileprivate init(_ fault: UserRootsFile.RootsFileFault) {
    switch fault {
    case .storage(let text): self = .storageUnavailable("the certificate authorities: \(text)")
    case .certificates(.tooMany):
      self = .limitExceeded(UserRoots.AdditionFault.tooMany.text, limit: "rootsPerUid")
    case .certificates(.tooLarge):
      self = .limitExceeded(UserRoots.AdditionFault.tooLarge.text, limit: "rootsPerUid")
    case .certificates(let fault): self = .invalidParams("params.certificates", fault.text)
    }
  }
}
