internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

extension Parameter {
  /// A credential of any kind.
  func givenCredential() throws(RPCError) -> GivenCredential {
    let given = try object(CredentialMembers.init)
    guard let identity = given.identity else { return try credential(given) }
    let source = try identity.identitySource()
    let persistence = try given.persistence?.enumeration(Persistence.self) ?? .forSession
    let limits = try given.limits?.handshakeLimits()
    try refuse(
      [
        ("user", given.user != nil), ("password", given.password != nil),
        ("passwordBytes", given.passwordBytes != nil), ("token", given.token != nil),
        ("domain", given.domain != nil), ("kerberos", given.kerberos != nil), ("source", given.source != nil),
        ("trust", given.trust != nil), ("preemptive", given.preemptive != nil),
        ("prefix", given.prefix != nil),
      ])
    if limits != nil, case .stored = source { throw member("limits", "were given with the identity") }
    if limits != nil, persistence == .none { throw member("limits", "are for what is kept") }
    return .identity(source, persistence: persistence, limits: limits ?? CredentialLimits())
  }

  /// A credential that can be stored.
  func credential() throws(RPCError) -> GivenCredential {
    guard value.kind != .null else { throw fault("is missing") }
    return try credential(try object(CredentialMembers.init))
  }

  private func credential(_ given: CredentialMembers) throws(RPCError) -> GivenCredential {
    guard given.identity == nil || given.kerberos != nil || given.source != nil else {
      throw .credentialUnusable(
        "\(path).identity: not for this authentication method", reason: CredentialFault.wrongKind)
    }
    let persistence = try given.persistence?.enumeration(Persistence.self)
    if let trust = given.trust, given.kerberos == nil, given.source == nil {
      return try decision(trust, persistence, given)
    }
    let limits = try given.limits?.credentialLimits() ?? CredentialLimits()
    if let kerberos = given.kerberos {
      try goesAlone("kerberos", given.hasLogin || given.trust != nil)
      try refuse([
        ("source", given.source != nil), ("identity", given.identity != nil),
        ("preemptive", given.preemptive != nil), ("prefix", given.prefix != nil),
      ])
      switch kerberos {
      case .complete(let source):
        return .complete(
          Credential(.kerberos(source), persistence: persistence ?? .forSession, limits: limits))
      case .file(let file):
        return .kerberosFile(file, persistence: persistence ?? .forSession, limits: limits)
      }
    }
    if let name = given.source {
      try goesAlone("source", given.hasLogin || given.trust != nil)
      try refuse([("identity", given.identity != nil)])
      // The administrator's configuration is what lasts.
      guard persistence != .permanent, persistence != .synchronizable else {
        throw member("persistence", "must be none or forSession with a source")
      }
      return .source(
        name, persistence: persistence ?? .forSession, limits: limits,
        isPreemptive: given.preemptive ?? false,
        prefix: try prefix(given)
      )
    }
    var credential = Credential(try login(given), persistence: persistence ?? .forSession, limits: limits)
    credential.isPreemptive = given.preemptive ?? false
    credential.prefix = try prefix(given)
    return .complete(credential)
  }

  private func decision(
    _ trust: TrustScope, _ persistence: Persistence?, _ given: CredentialMembers
  ) throws(RPCError) -> GivenCredential {
    try goesAlone("trust", given.hasLogin)
    try refuse([("preemptive", given.preemptive != nil), ("prefix", given.prefix != nil)])
    guard given.limits == nil || persistence != .permanent && persistence != .synchronizable else {
      throw member("limits", "are for decisions of a task or a session")
    }
    let limits = try given.limits?.handshakeLimits() ?? CredentialLimits()
    return .complete(Credential(.trust(trust), persistence: persistence ?? .none, limits: limits))
  }

  /// What stands in front of a key.
  private func prefix(_ given: CredentialMembers) throws(RPCError) -> String {
    guard let prefix = given.prefix else { return "" }
    if given.user != nil { try refuse([("prefix", true)]) }
    guard KeyField.isPrefix(prefix) else {
      throw member("prefix", "is not visible ASCII and spaces, or begins with a space")
    }
    return prefix
  }

  /// A user with a password, or a token.
  private func login(_ given: CredentialMembers) throws(RPCError) -> Credential.Kind {
    if let domain = given.domain { try check(domain: domain, of: given.user) }
    switch (given.user, try password(given), given.token) {
    case (.some(let user), .some(let password), nil):
      return .password(user: given.domain.map { $0 + #"\"# + user } ?? user, password: password)
    case (nil, nil, .some(let token)): return .token(token)
    case (.some, nil, nil): throw member("password", "is missing")
    case (nil, .some, nil): throw member("user", "is missing")
    case (nil, nil, nil):
      throw fault("must have user and password, or token, kerberos, source, trust or identity")
    case (_, _, .some): throw member("token", "goes without user and password")
    }
  }

  /// `password`, or the octets of `passwordBytes`.
  private func password(_ given: CredentialMembers) throws(RPCError) -> Secret? {
    guard let encoded = given.passwordBytes else { return given.password }
    guard given.password == nil else { throw member("passwordBytes", "goes without password") }
    guard let octets = Secret.decoded(encoded) else { throw member("passwordBytes", "is not base64") }
    return octets
  }

  /// A domain goes in front of the user: `DOMAIN\user`.
  private func check(domain: String, of user: String?) throws(RPCError) {
    guard let user else { throw member("domain", "goes with user and password") }
    guard !domain.isEmpty,
      !domain.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
    else { throw member("domain", "is empty or holds a backslash or a control character") }
    guard !user.utf8.contains(UInt8(ascii: "\\")) else { throw member("domain", "is in the user already") }
  }

  private func goesAlone(_ name: String, _ hasOthers: Bool) throws(RPCError) {
    guard !hasOthers else { throw member(name, "goes alone") }
  }

  /// Refuses members of other kinds of credential.
  private func refuse(_ members: [(name: String, isThere: Bool)]) throws(RPCError) {
    for unknown in members where unknown.isThere { throw member(unknown.name, "unknown member") }
  }

  private func member(_ name: String, _ message: String) -> RPCError {
    .invalidParams("\(path).\(name)", message)
  }

  func credentialLimits() throws(RPCError) -> CredentialLimits {
    let given = try object(CredentialLimitsMembers.init)
    var limits = CredentialLimits()
    limits.idleSeconds = given.idleSeconds
    limits.lifetimeSeconds = given.lifetimeSeconds
    limits.notAfter = given.notAfter
    // An empty list, which the schema refuses, would mean all.
    limits.pathPrefixes = given.pathPrefixes ?? []
    limits.methods = given.methods ?? []
    limits.maximumUses = given.maximumUses
    limits.confirm = given.confirm ?? false
    return limits
  }

  /// A path of a credential's limits; null for what has none.
  func namedPath() throws(RPCError) -> NamedPath {
    value.isNull ? .whole : .only(try string(maximumBytes: 8192))
  }
}

extension CredentialMembers {
  fileprivate var hasLogin: Bool {
    user != nil || password != nil || passwordBytes != nil || token != nil || domain != nil
  }
}

extension CredentialSetParameters {
  /// The credential, readable if that is wished.
  package var toStore: GivenCredential {
    let given = isForKey ? credential.asKey : credential
    return (readable ? given.readable : nil) ?? given
  }

  /// Whether it becomes the default: of a field and path there is one key.
  package var becomesDefault: Bool { `default` || isForKey }

  private var isForKey: Bool { protectionSpace.contains { $0.authenticationMethod == .key } }

  func checkReadable() throws(RPCError) {
    guard readable, credential.readable == nil else { return }
    throw .invalidParams(
      "params.readable",
      "is for a password in UTF-8 or a token, without the limit methods, which a reader need not keep")
  }
}
