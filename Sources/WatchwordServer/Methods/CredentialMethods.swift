internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `credential/*`: the storage of a session, in memory.
@ReactorActor
enum CredentialMethods {
  static func set(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialSet.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    _ = try session.place(for: parameters.credential.persistence, path: "params.credential.persistence")
    for space in spaces where space.authenticationMethod.isOfHandshake {
      throw .invalidParams(
        "params.protectionSpace.authenticationMethod",
        "is decided in a challenge, with the certificates shown")
    }
    switch parameters.credential {
    case .complete(let credential): try store(credential, for: spaces, parameters, in: session, call)
    case .kerberosFile(let file, let persistence, let limits):
      try KerberosReading.begin(file, for: call, within: daemon.budget) { source throws(RPCError) in
        guard !session.isOver else {
          throw RPCError(.sessionInvalidated, "session \(session.name) has ended")
        }
        let credential = Credential(.kerberos(source), persistence: persistence, limits: limits)
        try store(credential, for: spaces, parameters, in: session, call)
      }
    case .identity: throw unfit(.wrongKind)
    }
  }

  private static func store(
    _ credential: Credential, for spaces: [ProtectionSpace], _ parameters: CredentialSet.Parameters,
    in session: Session, _ call: Call
  ) throws(RPCError) {
    for space in spaces {
      let fault = CredentialCheck.fault(of: credential, for: space)
      if let fault = fault ?? session.fault(of: credential) { throw unfit(fault) }
    }
    let growth = session.state.credentials.growth(storing: credential, for: spaces)
    guard session.hasRoom(for: growth) else { throw .overBudget }
    call.succeed { $0.emptyObject() }
    session.take {
      $0.store(
        credential, for: spaces, isDefault: parameters.isDefault, owner: call.peer.process.pid, at: $1)
    }
  }

  private static func unfit(_ fault: CredentialFault) -> RPCError {
    RPCError(
      .credentialUnusable, "the credential does not fit the space: \(fault.text)",
      details: ["reason": .string(fault.rawValue)])
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    session.take { $0.forgetExpiredCredentials(at: $1) }
    let credentials = session.state.credentials.all.map {
      CredentialDescription($0, now: now, wallClock: wallClock)
    }
    call.succeed("credentials", credentials) { $0.write(to: &$1) }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialRemove.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    session.take { state, _ in
      state.removeCredentials(for: spaces, user: parameters.user)
    } acknowledge: {
      call.succeed(removed: $0)
    }
  }

  static func setDefault(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialSetDefault.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    guard session.ask({ state, _ in state.setDefault(user: parameters.user, in: spaces) }) else {
      throw RPCError(.credentialNotFound, "no credential of this user for this protection space")
    }
    call.succeed { $0.emptyObject() }
    daemon.noteChange()
  }
}
