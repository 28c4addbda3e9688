internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// `credential/*`: the storage of a session, in memory, and the account's permanent credentials in its vault.
@ReactorActor
enum CredentialMethods {
  static func set(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialSetParameters(object)
    let spaces = try URLParameter.canonical(parameters.protectionSpace)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let given = parameters.toStore
    let place = try session.place(
      for: given.persistence, of: given.storedKind,
      path: "params.credential.persistence")
    for space in spaces where space.authenticationMethod.isOfHandshake {
      throw .invalidParams(
        "params.protectionSpace.authenticationMethod",
        "is decided in a challenge, with the certificates shown")
    }
    for space in spaces where space.authenticationMethod == .key && space.field == nil {
      throw .invalidParams("params.protectionSpace.field", "is missing")
    }
    switch given {
    case .complete(let credential):
      try check(credential, for: spaces, in: session)
      if place == .account {
        try keep(daemon, credential, for: spaces, isDefault: parameters.becomesDefault, in: session, call)
      } else {
        try store(credential, for: spaces, parameters, in: session, call)
      }
    case .kerberosFile(let file, let persistence, let limits):
      call.begin { () async throws(RPCError) in
        let source = try await KerberosReading.read(file, for: call, within: daemon.budget)
        guard !session.isOver else { throw .sessionInvalidated("session \(session.name) has ended") }
        let credential = Credential(.kerberos(source), persistence: persistence, limits: limits)
        try check(credential, for: spaces, in: session)
        try store(credential, for: spaces, parameters, in: session, call)
      }
    case .source(let name, let persistence, let limits, let isPreemptive, let prefix):
      guard let space = spaces.first else { throw unfit(.wrongKind) }
      call.begin { () async throws(RPCError) in
        let reading = try await SourceReading.read(
          name, for: space, persistence, limits, isPreemptive: isPreemptive, prefix: prefix, in: session, call
        )
        switch reading {
        case .credential(let credential):
          try check(credential, for: spaces, in: session)
          try store(credential, for: spaces, parameters, in: session, call)
        case .needsPerson(let binding):
          guard session.feed({ $0.bind(spaces, to: binding) }) else { throw .overBudget }
          call.succeed { $0.emptyObject() }
        }
      }
    case .identity: throw unfit(.wrongKind)
    }
  }

  private static func store(
    _ credential: Credential, for spaces: [ProtectionSpace], _ parameters: CredentialSetParameters,
    in session: SessionDriver, _ call: Call
  ) throws(RPCError) {
    // It was read meanwhile.
    guard !session.isLocked else { throw .agentLocked }
    let growth = session.state.memory.growth(storing: credential, for: spaces)
    guard session.hasRoom(for: growth) else { throw .overBudget }
    call.succeed { $0.emptyObject() }
    session.feed {
      $0.store(credential, for: spaces, isDefault: parameters.becomesDefault, owner: call.peer.caller)
    }
  }

  private static func check(
    _ credential: Credential, for spaces: [ProtectionSpace], in session: SessionDriver
  ) throws(RPCError) {
    for space in spaces {
      let fault = CredentialCheck.fault(of: credential, for: space)
      if let fault = fault ?? session.fault(of: credential) { throw unfit(fault) }
    }
  }

  /// Replies when the credential is on the disk.
  private static func keep(
    _ daemon: Daemon, _ credential: Credential, for spaces: [ProtectionSpace], isDefault: Bool,
    in session: SessionDriver, _ call: Call
  ) throws(RPCError) {
    // The spaces of one credential are those of one origin or proxy.
    let ways = spaces.first.map { session.state.callersWays(to: $0) } ?? []
    let change = PermanentCredentials.Change.store(credential, for: spaces, isDefault: isDefault, over: ways)
    let charge = session.charge.another()
    guard charge.grow(by: change.heldBytes) else { throw .overBudget }
    call.begin { () async throws(RPCError) in
      try await session.keptAccount.keep(change, for: call) { _ in
        // The account's credentials have it now.
        charge.giveBack()
        // One of the session's own would be used before it.
        session.feed {
          $0.removeCredentials(for: spaces, user: credential.user, NamedPath(of: credential))
        }
        call.succeed { $0.emptyObject() }
        daemon.noteChange()
      }
    }
  }

  private static func unfit(_ fault: CredentialFault) -> RPCError {
    RPCError.credentialUnusable("the credential does not fit the space: \(fault.text)", reason: fault)
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let session = try daemon.registry.find(
      SessionParameters(object).session, for: call.peer, environment: daemon)
    session.feed { $0.forgetExpiredCredentials() }
    session.account?.forgetExpired()
    var own = CredentialTexts(keptIn: session, isOwn: true)
    var permanent = session.account.map { CredentialTexts(permanentIn: $0) } ?? CredentialTexts()
    call.peer.taker.proceed {
      own.describeNext() || permanent.describeNext()
    } then: {
      call.succeed(Sent.CredentialList(credentials: own.texts + permanent.texts))
    }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialRemoveParameters(object)
    let spaces = try URLParameter.canonical(parameters.protectionSpace)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let path = parameters.path ?? .any
    let removeOwn = { (kept: Int) in
      _ = session.feed { state in
        state.removeCredentials(for: spaces, user: parameters.user, path)
      } acknowledge: {
        call.succeed(Sent.Removal(removed: kept + $0))
      }
    }
    guard let account = session.account,
      account.credentials.concerns(spaces, user: parameters.user, path)
    else {
      return removeOwn(0)
    }
    // The disk comes first: if that fails, nothing has changed.
    call.begin { () async throws(RPCError) in
      try await account.submit(.remove(spaces, user: parameters.user, path)) { settled in
        removeOwn(settled.alteration.removedCount)
        daemon.noteChange()
      }.value()
    }
  }

  static func setDefault(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialSetDefaultParameters(object)
    let spaces = try URLParameter.canonical(parameters.protectionSpace)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let isOwn = session.ask { $0.setDefault(user: parameters.user, in: spaces) }
    guard let account = session.account, account.credentials.concerns(spaces, user: parameters.user) else {
      guard isOwn else {
        throw .credentialNotFound("no credential of this user for this protection space")
      }
      call.succeed { $0.emptyObject() }
      return daemon.noteChange()
    }
    call.begin { () async throws(RPCError) in
      try await account.submit(.setDefault(user: parameters.user, in: spaces)) { _ in
        call.succeed { $0.emptyObject() }
        daemon.noteChange()
      }.value()
    }
  }

  /// What the origin of a URL, or the proxy that leads to it, has refused may be sent once more.
  static func retry(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialRetryParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let origin = try URLParameter.parse(parameters.url).origin
    let proxies = try TaskRequest.Proxies(parameters.proxies)
    let retried = session.ask { $0.retryRefused(at: origin, through: proxies) }
    call.succeed(Sent.RetriedCredentials(retried: retried))
    daemon.noteChange()
  }

  static func history(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialHistoryParameters(object)
    let origin = try parameters.origin.map { text throws(RPCError) in
      try URLParameter.origin(text, path: "params.origin")
    }
    let entries = daemon.histories.latest(parameters.limit, for: call.peer) { entry in
      (parameters.user == nil || entry.user == parameters.user) && (origin == nil || entry.origin == origin)
    }
    call.succeed(Sent.History(entries: entries.map(\.sent)))
  }
}

/// `credential/read`: writes a secret that was stored to be read into the caller's pipe or memory.
@ReactorActor
enum CredentialReading {
  private static let path = "params.descriptor"

  static func read(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialReadParameters(object)
    let spaces = try URLParameter.canonical(parameters.protectionSpace)
    let descriptor = try CallerDescriptor.claim(parameters.descriptor, of: call, path: path, for: .writing)
    guard descriptor.isPipe || descriptor.isMemory else {
      throw RPCError(descriptor: path, "must be a pipe or a file in memory")
    }
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    if session.account?.isLocked == true { throw RPCError(VaultFault.locked) }
    let request = SessionState.ReadingRequest(
      spaces: spaces, user: parameters.user, path: parameters.path, process: call.peer.caller)
    let reading: SessionState.Reading
    switch session.feed({ $0.read(request) }) {
    case .success(let found): reading = found
    case .failure(.notFound):
      // It may be in a vault that is not open.
      if let fault = session.account?.fault { throw RPCError(fault) }
      throw .credentialNotFound("no readable credential for this protection space")
    case .failure(.confirmationNeeded):
      let fault = CredentialFault.confirmationNeeded
      throw .credentialUnusable("the credential cannot be read: it \(fault.text)", reason: fault)
    }
    guard let secret = reading.credential.kind.secret else {
      throw .credentialNotFound("no readable credential for this protection space")
    }
    try write(secret, to: descriptor)
    session.counters.credentialsRead += 1
    call.succeed(
      Sent.ReadCredential(
        user: reading.credential.user, kind: reading.credential.kindName, size: secret.count,
        secondsLeft: reading.secondsLeft))
    daemon.noteChange()
  }

  /// Does not wait for a reader: a pipe must have room for all of it.
  private static func write(_ secret: Secret, to descriptor: CallerDescriptor) throws(RPCError) {
    let isWritten = secret.withBytes { bytes in
      bytes.isEmpty
        || (descriptor.isMemory
          ? descriptor.writeAll(bytes) == nil
          : descriptor.writeWithoutWaiting(bytes) == bytes.count)
    }
    guard isWritten else {
      throw RPCError(descriptor: path, "has no room for the \(secret.count) bytes of the secret")
    }
  }
}

extension Credential.Kind {
  /// Nil for what has none that can be given back.
  fileprivate var secret: Secret? {
    switch self {
    case .password(_, let password): password
    case .token(let token): token
    case .trust, .identity, .kerberos: nil
    }
  }
}
