internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// `credential/*`: the storage of a session, in memory.
@ReactorActor
enum CredentialMethods {
  static func set(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialSet.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    switch parameters.credential.persistence {
    case .forSession: break
    case .none:
      throw .invalidParams("params.credential.persistence", "none is for replies: nothing would be stored")
    case .permanent, .synchronizable:
      throw RPCError(
        .storageUnavailable,
        "credentials are kept in memory only, until there is a sealed vault; use forSession")
    }
    for space in spaces {
      if space.authenticationMethod.isOfHandshake {
        throw .invalidParams(
          "params.protectionSpace.authenticationMethod",
          "is decided in a challenge, with the certificates shown")
      }
      if let fault = CredentialCheck.fault(of: parameters.credential, for: space.authenticationMethod) {
        throw RPCError(
          .credentialUnusable, "the credential does not fit the space: \(fault.text)",
          details: ["reason": .string(fault.rawValue)])
      }
    }
    call.succeed { $0.emptyObject() }
    for space in spaces {
      session.cache.store(
        parameters.credential, for: space, isDefault: parameters.isDefault, owner: call.peer.process.pid,
        now: session.now)
    }
    session.announceCredentialChanges()
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    let (now, wallClock) = (session.now, session.wallClock)
    session.forgetExpiredCredentials()
    let credentials = session.cache.all.map { CredentialDescription($0, now: now, wallClock: wallClock) }
    call.succeed("credentials", credentials) { $0.write(to: &$1) }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialRemove.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let removed = spaces.reduce(0) { $0 + session.cache.remove(space: $1, user: parameters.user) }
    call.succeed(removed: removed)
    session.announceCredentialChanges()
  }

  static func setDefault(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CredentialSetDefault.Parameters(object)
    let spaces = try URLParameter.canonical(parameters.spaces)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let changed = spaces.filter { session.cache.setDefault(user: parameters.user, in: $0) }
    guard !changed.isEmpty else {
      throw RPCError(.credentialNotFound, "no credential of this user for this protection space")
    }
    call.succeed { $0.emptyObject() }
    daemon.noteChange()
  }
}
