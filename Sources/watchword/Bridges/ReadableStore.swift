internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The readable credentials of one origin: what another tool stores here and gets back (storage.md 9.8).
struct ReadableStore {
  struct Found {
    let user: String?
    let secret: Secret
    /// Until its limits end it.
    let secondsLeft: Double?
  }

  /// `default` for a user and a password, `bearer` for a token.
  enum Method: String, CaseIterable {
    case password = "default"
    case token = "bearer"
  }

  let client: WatchwordClient
  private let session: String?
  private let origin: SpaceOptions.Origin

  /// A missing session is created, as for a fetch.
  init(_ client: WatchwordClient, url: String, session: String?) throws(Failure) {
    self.client = client
    self.session = session
    try SessionScope.open(session, client)
    var space = SpaceOptions()
    space.session = session
    try space.take(url: url)
    origin = try space.origin(client)
  }

  /// Nil when there is none that may be read.
  ///
  /// - Parameter user: nil for the default user.
  /// - Parameter path: what it is for; nil for the whole origin.
  func read(_ method: Method, user: String?, path: String?) throws(Failure) -> Found? {
    CoreDumps.forbid()
    guard let pipe = Pipe() else { throw Failure("no pipe: \(Output.lastError)") }
    let description: Sent.ReadCredential
    do throws(ClientError) {
      let request = Request.CredentialRead(
        session: session, protectionSpace: SpaceOptions.key(origin, realm: nil, method: method.rawValue),
        user: user, path: path, descriptor: 0)
      description = try client.call(request, descriptors: [pipe.writing.number])
    } catch {
      guard case .refused(let refusal) = error, Self.isAbsence(refusal) else { throw Failure(error) }
      return nil
    }
    let secret = try SecretReader.all(from: pipe.keepReading(), named: "the daemon's pipe")
    return Found(user: description.user, secret: secret, secondsLeft: description.secondsLeft)
  }

  /// A reading that needs a confirmation raises no challenge: the tool prompts in its own way.
  private static func isAbsence(_ error: RemoteError) -> Bool {
    error.kind == .credentialNotFound || error.reason == "confirmationNeeded"
  }

  /// - Parameter user: nil for a token.
  /// - Parameter realm: nil for any realm.
  /// - Parameter path: it serves this path and what is below; nil: the whole origin.
  /// - Parameter expires: seconds since 1970.
  func store(
    user: String?, _ secret: Secret, realm: String? = nil, path: String?, expires: Int64?,
    persistence: Persistence
  ) throws(Failure) {
    let method = user == nil ? Method.token : .password
    let notAfter = expires.flatMap(Self.timeText)
    var limits: Request.CredentialLimits?
    if path != nil || notAfter != nil {
      limits = Request.CredentialLimits(notAfter: notAfter, pathPrefixes: path.map { [$0] })
    }
    let credential = Request.Credential(
      user: user, password: user == nil ? nil : secret, persistence: persistence, limits: limits,
      token: user == nil ? secret : nil)
    try client.ask(
      Request.CredentialSet(
        session: session, protectionSpace: SpaceOptions.key(origin, realm: realm, method: method.rawValue),
        credential: credential, readable: true), reserving: secret.count * 6)
  }

  /// Removes readable ones of the origin.
  ///
  /// - Parameter user: nil for all users.
  /// - Parameter kept: the user whose credentials stay.
  /// - Parameter isWanted: of the path that a credential is for, nil for the whole origin.
  func remove(
    user: String? = nil, keeping kept: String? = nil, _ methods: [Method] = Method.allCases,
    where isWanted: (String?) -> Bool
  ) throws(Failure) {
    for credential in try list()
    where methods.contains(Self.method(of: credential)) && isWanted(Self.path(of: credential))
      && (user == nil || credential.user == user) && (kept == nil || credential.user != kept)
    {
      // The user's credentials for other paths stay.
      try client.ask(
        Request.CredentialRemove(
          session: session, protectionSpace: credential.protectionSpace.key, user: credential.user,
          path: .some(Self.path(of: credential))))
    }
  }

  /// The users with a readable password for exactly this path, the one stored last at the end.
  func users(path: String) throws(Failure) -> [String] {
    try list().filter { Self.method(of: $0) == .password && Self.path(of: $0) == path }
      .compactMap(\.user)
  }

  /// Whether there is one for exactly this path; nil: for the whole origin.
  func holds(_ method: Method, user: String?, path: String?) throws(Failure) -> Bool {
    try list().contains {
      Self.method(of: $0) == method && $0.user == user && Self.path(of: $0) == path
    }
  }

  /// The readable credentials of the origin.
  private func list() throws(Failure) -> [Sent.StoredCredential] {
    try Self.list(client, session: session).filter {
      SpaceText.origin(of: $0.protectionSpace, showsPort: true) == origin.text
    }
  }

  /// The readable credentials of a session, of all origins; a failure when the account's vault cannot be
  /// read.
  static func list(_ client: WatchwordClient, session: String?) throws(Failure) -> [Sent.StoredCredential] {
    let list = try client.ask(Request.CredentialList(session: session))
    try requireVault(client)
    // No tool that asks for a password or a token means a key for a header field.
    return list.credentials.compactMap(\.value).filter {
      $0.readable && !$0.protectionSpace.isProxy && $0.protectionSpace.field == nil
    }
  }

  /// A list without the account's credentials would say that there are none.
  private static func requireVault(_ client: WatchwordClient) throws(Failure) {
    let vault = try client.ask(Request.Status()).vault
    switch vault.state {
    case "locked": throw Failure("the vault is locked: watchword unlock opens it")
    case "unavailable": throw Failure(vault.reason ?? "the vault is unavailable")
    default: return
    }
  }

  static func method(of credential: Sent.StoredCredential) -> Method {
    credential.kind == "token" ? .token : .password
  }

  /// The path that a credential is for; nil: the whole origin.
  static func path(of credential: Sent.StoredCredential) -> String? {
    guard let paths = credential.limits.pathPrefixes, paths.count == 1 else { return nil }
    return paths[0]
  }

  /// The default user that the session has for the origin, readable or not: a name is no secret.
  func knownUser() throws(Failure) -> String? {
    let list = try client.ask(Request.CredentialList(session: session))
    return list.credentials.compactMap(\.value).first { credential in
      SpaceText.origin(of: credential.protectionSpace, showsPort: true) == origin.text
        && credential.isDefault && credential.user != nil
    }?.user
  }

  /// RFC 3339, as the protocol writes times; nil for a time that it cannot write.
  private static func timeText(_ seconds: Int64) -> String? {
    var parts = tm()
    var moment = time_t(seconds)
    guard gmtime_r(&moment, &parts) != nil, (0...8099).contains(parts.tm_year) else { return nil }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
