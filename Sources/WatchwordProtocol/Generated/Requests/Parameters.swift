package import WatchwordCore
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

/// The parameters of `$/cancelRequest`.
package struct CancelRequestParameters: MethodParameters {
  package let id: RequestIdentifier

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    id = try reader.required("id").requestIdentifier()
  }
}

/// The parameters of `challenge/describe`.
package struct ChallengeParameters: MethodParameters {
  package let challenge: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    challenge = try reader.required("challenge").string(maximumBytes: 256, minimumBytes: 1)
  }
}

/// The parameters of `challenge/reply`.
package struct ChallengeReplyParameters: MethodParameters {
  package let challenge: String
  package let disposition: Disposition
  /// With useCredential: what to send; null or left out: go on without: the 401 is delivered, and a
  /// server that asks for a certificate gets none (serverTrust needs one). Ignored beside the other
  /// dispositions.
  package let credential: Parameter?
  /// Why, in words for people: the history has it.
  package let because: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    challenge = try reader.required("challenge").string(maximumBytes: 256, minimumBytes: 1)
    disposition = try reader.required("disposition").enumeration(Disposition.self)
    credential = reader["credential"]
    because = try reader["because"]?.string(maximumBytes: 256, minimumBytes: 1)
  }
}

/// The parameters of `cookie/list`.
package struct CookieListParameters: MethodParameters {
  package let session: String?
  /// Only those that would be sent there.
  package let url: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader["url"]?.string(maximumBytes: 16_384, minimumBytes: 1)
  }
}

/// The parameters of `cookie/remove`.
package struct CookieRemoveParameters: MethodParameters {
  package let session: String?
  /// Domain and name left out: all.
  package let domain: String?
  package let name: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    domain = try reader["domain"]?.string(maximumBytes: 255, minimumBytes: 1)
    name = try reader["name"]?.string(maximumBytes: 4096, minimumBytes: 1)
  }
}

/// The parameters of `cookie/set`.
package struct CookieSetParameters: MethodParameters {
  package let session: String?
  package let cookie: CookieToSetMembers

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    cookie = try reader.required("cookie").object(CookieToSetMembers.init)
  }
}

/// The members of `CookieToSet`.
package struct CookieToSetMembers: Sendable {
  package let name: String
  package let value: String
  package let domain: String
  package let path: String
  package let expires: Double?
  package let secure: Bool
  package let httpOnly: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader.required("name").cookieName(maximumBytes: 4096)
    value = try reader.required("value").cookieValue(maximumBytes: 4096)
    domain = try reader.required("domain").cookieDomain(maximumBytes: 255)
    path = try reader["path"]?.cookiePath(maximumBytes: 4096) ?? "/"
    expires = try reader["expires"]?.unlessNull?.timestamp()
    secure = try reader["secure"]?.bool() ?? false
    httpOnly = try reader["httpOnly"]?.bool() ?? false
  }
}

/// The parameters of `credential/history`.
package struct CredentialHistoryParameters: MethodParameters {
  package let limit: Int
  package let user: String?
  /// A scheme, a host and perhaps a port.
  package let origin: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    limit = try reader["limit"]?.integer(in: 1...1024) ?? 100
    user = try reader["user"]?.string(maximumBytes: 65_536)
    origin = try reader["origin"]?.string(maximumBytes: 1024)
  }
}

/// The members of `CredentialLimits`.
package struct CredentialLimitsMembers: Sendable {
  /// Expires after this time without use.
  package let idleSeconds: Double?
  /// Expires this time after it was given.
  package let lifetimeSeconds: Double?
  /// Expires at this time.
  package let notAfter: Double?
  /// Only for these paths and below.
  package let pathPrefixes: [String]?
  /// Only for these HTTP methods.
  package let methods: [String]?
  /// Expires after this number of exchanges.
  package let maximumUses: Int?
  /// A use for another process raises a challenge first.
  package let confirm: Bool?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000)
    lifetimeSeconds = try reader["lifetimeSeconds"]?.number(in: 0...315_360_000)
    notAfter = try reader["notAfter"]?.timestamp()
    pathPrefixes = try reader["pathPrefixes"]?.array(maximum: 64, minimum: 1) { element throws(RPCError) in
      try element.absolutePath()
    }
    methods = try reader["methods"]?.array(maximum: 64, minimum: 1) { element throws(RPCError) in
      try element.methodToken()
    }
    maximumUses = try reader["maximumUses"]?.integer(in: 1...1_000_000_000)
    confirm = try reader["confirm"]?.bool()
  }
}

/// The members of `Credential`.
package struct CredentialMembers: Sendable {
  /// The members of `kerberos`.
  package struct Kerberos: Sendable {
    /// default: the tickets of the daemon's uid, for sessions of that uid; another name: a cache of the
    /// administrator's; or the contents of a cache.
    package let cache: Parameter?
    /// The name of a keytab of the administrator's, which has its principal, or the contents of a keytab.
    package let keytab: Parameter?
    /// The principal that logs in. Required with contents of a keytab.
    package let principal: String?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      cache = reader["cache"]
      keytab = reader["keytab"]
      principal = try reader["principal"]?.principal(maximumBytes: 1024)
    }
  }

  package let user: String?
  /// Secret.
  package let password: Secret?
  /// The password's octets in base64, instead of password: one that is not UTF-8 (challenges.md 6.10).
  /// Secret.
  package let passwordBytes: Secret?
  /// The realm or domain of the user, who is DOMAIN\user from then on.
  package let domain: String?
  package let persistence: Parameter?
  /// Send it with the first request, before the server asks: only for basic and bearer of an origin
  /// (storage.md 9.4.6).
  package let preemptive: Bool?
  package let limits: Parameter?
  /// Secret.
  package let token: Secret?
  /// For key: what stands in front of it in its field, with its space.
  package let prefix: String?
  package let kerberos: GivenKerberos?
  /// Its name in the configuration file.
  package let source: String?
  package let trust: TrustScope?
  package let identity: Parameter?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    user = try reader["user"]?.string(maximumBytes: 4096)
    password = try reader["password"]?.secret(maximumBytes: 65_536)
    passwordBytes = try reader["passwordBytes"]?.secret(maximumBytes: 10_924)
    domain = try reader["domain"]?.string(maximumBytes: 255, minimumBytes: 1)
    persistence = reader["persistence"]
    preemptive = try reader["preemptive"]?.bool()
    limits = reader["limits"]
    token = try reader["token"]?.secret(maximumBytes: 65_536, minimumBytes: 1)
    prefix = try reader["prefix"]?.string(maximumBytes: 128)
    kerberos = try reader["kerberos"]?.kerberos()
    source = try reader["source"]?.string(maximumBytes: 128, minimumBytes: 1)
    trust = try reader["trust"]?.enumeration(TrustScope.self)
    identity = reader["identity"]
  }
}

/// The parameters of `credential/read`.
package struct CredentialReadParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  /// Left out: the default user.
  package let user: String?
  /// What it is for; left out: the whole origin.
  package let path: String?
  /// Of those sent with the message; open for writing.
  package let descriptor: Int

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader["user"]?.string(maximumBytes: 4096)
    path = try reader["path"]?.absolutePath(maximumBytes: 8192)
    descriptor = try reader.required("descriptor").integer(in: 0...15)
  }
}

/// The parameters of `credential/remove`.
package struct CredentialRemoveParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let user: String?
  /// Only the credentials that are kept for this path; null: only those for no path (storage.md 9.9.7).
  package let path: NamedPath?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader["user"]?.string(maximumBytes: 4096)
    path = try reader["path"]?.namedPath()
  }
}

/// The parameters of `credential/retry`.
package struct CredentialRetryParameters: MethodParameters {
  package let session: String?
  package let url: String
  /// As for a fetch: instead of the session's.
  package let proxies: SessionConfiguration.Proxies?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    proxies = try reader["proxies"]?.proxies()
  }
}

/// The parameters of `credential/setDefault`.
package struct CredentialSetDefaultParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let user: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    user = try reader.required("user").string(maximumBytes: 4096)
  }
}

/// The parameters of `credential/set`.
package struct CredentialSetParameters: MethodParameters {
  package let session: String?
  package let protectionSpace: [ProtectionSpace]
  package let credential: GivenCredential
  /// Make it the space's default user. With false the default stays as it is, also when there is none.
  package let `default`: Bool
  /// Let credential/read give the secret back: for what another tool stores to have it back (storage.md
  /// 7.1.11).
  package let readable: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    protectionSpace = try reader.required("protectionSpace").protectionSpaces()
    credential = try reader.required("credential").credential()
    `default` = try reader["default"]?.bool() ?? true
    readable = try reader["readable"]?.bool() ?? false
    try checkReadable()
  }
}

/// The members of `Delegate`.
package struct DelegateMembers: Sendable {
  /// Methods this connection takes for tasks it started.
  package let tasks: DelegateInterest.Methods?
  /// Methods this connection takes for any task of the session.
  package let session: DelegateInterest.Methods?
  /// Whether serverTrust is asked about every chain, or about those only that default evaluation refuses.
  package let trustVerdicts: DelegateInterest.TrustVerdicts

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    tasks = try reader["tasks"]?.delegateMethods(maximum: 64)
    session = try reader["session"]?.delegateMethods(maximum: 64)
    trustVerdicts = try reader["trustVerdicts"]?.enumeration(DelegateInterest.TrustVerdicts.self) ?? .all
  }
}

/// The parameters of `explain`.
package struct ExplainParameters: MethodParameters {
  package let session: String?
  package let url: String
  package let method: String
  /// As for a fetch: a `Host` field names a server, and a field of the caller takes the place of a
  /// credential.
  package let headers: [HeaderField]?
  /// As for a fetch: instead of the session's.
  package let proxies: SessionConfiguration.Proxies?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    method = try reader["method"]?.method(maximumBytes: 32) ?? "GET"
    headers = try reader["headers"]?.headers(maximum: 256)
    proxies = try reader["proxies"]?.proxies()
  }
}

/// The parameters of `fetch`, `task/start`.
package struct FetchParameters: MethodParameters {
  package enum Cookies: String, CaseIterable, Sendable {
    case session
    case task
  }

  /// Left out: default.
  package let session: String?
  /// The caller's own name for the task, spelled like a session's; left out, the daemon chooses.
  /// taskIdentifierInUse when a running task of the uid has it.
  package let task: String?
  /// Absolute, http or https. Userinfo serves this task only: it is cut off and tried as the first
  /// credential (storage.md 9.2.2).
  package let url: String
  package let method: String
  /// Order and duplicates are kept.
  package let headers: [HeaderField]?
  /// Names of further fields that carry a secret: they are dropped when a redirect changes the origin,
  /// like Authorization and Cookie (messages.md, section 9).
  package let sensitiveHeaders: [String]?
  package let body: Fetch.Body?
  /// Members left out are the session's.
  package let timeouts: TimeoutsMembers?
  /// Of the tasks that wait for a connection to one origin, the highest goes first.
  package let priority: Double
  /// Go on when the connection is gone; the result is kept for task/describe for ten minutes.
  package let detached: Bool
  /// Where the body goes: into the result, a memory file, notifications, a descriptor of the caller, or
  /// nowhere (messages.md 5.5.1).
  package let output: Fetch.Delivery?
  /// Decode content codings (messages.md 5.1.7).
  package let decodeContent: Bool
  /// A larger body of the result, after decoding, is bodyTooLarge (messages.md 5.5.2).
  package let maximumBodyBytes: Int?
  /// Instead of the session's, for this task (messages.md 14.8).
  package let proxies: SessionConfiguration.Proxies?
  /// False: the first redirect is the result, whatever the session's policy says.
  package let followRedirects: Bool
  /// Instead of the session's, for this task (messages.md 5.1.8).
  package let redirects: TaskRedirectsMembers?
  /// Versions of TLS that the task excludes, of those of the session (messages.md 5.1.9).
  package let tls: TaskTLSMembers?
  /// Without 2, the task does not use HTTP/2 (messages.md 5.1.9).
  package let httpVersions: [SessionConfiguration.HTTPVersion]?
  /// The only kind of addresses that is connected to. Left out: both (messages.md 5.1.10).
  package let ipVersion: AllowedVersions.IP?
  /// How fast bodies are sent and received. Left out: as fast as the caller and the server are
  /// (messages.md 5.1.11).
  package let maximumBytesPerSecond: Int?
  /// The field of that name in each request of the task (messages.md 5.1.12).
  package let traceparent: TraceContext?
  /// Whose cookies count. Left out: task in default and in sessions that are named after their settings
  /// (messages.md 10.5).
  package let cookies: Cookies?
  /// Put the metrics into the result (messages.md 5.2.3).
  package let metrics: Bool
  /// Say of each exchange over which connection it was made and what was sent (messages.md 5.2.8).
  package let exchangeDetails: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    task = try reader["task"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    method = try reader["method"]?.method(maximumBytes: 32) ?? "GET"
    headers = try reader["headers"]?.headers(maximum: 256)
    sensitiveHeaders = try reader["sensitiveHeaders"]?.array(maximum: 64) { element throws(RPCError) in
      try element.fieldName()
    }
    body = try reader["body"]?.unlessNull?.requestBody()
    timeouts = try reader["timeouts"]?.object(TimeoutsMembers.init)
    priority = try reader["priority"]?.number(in: 0...1) ?? 0.5
    detached = try reader["detached"]?.bool() ?? false
    output = try reader["output"]?.output()
    decodeContent = try reader["decodeContent"]?.bool() ?? true
    maximumBodyBytes = try reader["maximumBodyBytes"]?.integer(in: 0...Int.max)
    proxies = try reader["proxies"]?.proxies()
    followRedirects = try reader["followRedirects"]?.bool() ?? true
    redirects = try reader["redirects"]?.object(TaskRedirectsMembers.init)
    tls = try reader["tls"]?.object(TaskTLSMembers.init)
    httpVersions = try reader["httpVersions"]?.httpVersions(maximum: 2, minimum: 1)
    ipVersion = try reader["ipVersion"]?.enumeration(AllowedVersions.IP.self)
    maximumBytesPerSecond = try reader["maximumBytesPerSecond"]?.integer(in: 1024...1_000_000_000_000)
    traceparent = try reader["traceparent"]?.traceContext()
    cookies = try reader["cookies"]?.enumeration(Cookies.self)
    metrics = try reader["metrics"]?.bool() ?? false
    exchangeDetails = try reader["exchangeDetails"]?.bool() ?? false
    try checkHead()
  }
}

/// The members of `FileContents`.
package struct FileContentsMembers: Sendable {
  /// Base64. Secret.
  package let base64: Secret?
  package let descriptor: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    base64 = try reader["base64"]?.secret(maximumBytes: 349_528)
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
  }
}

/// The parameters of `identity/add`.
package struct IdentityAddParameters: MethodParameters {
  package let session: String?
  package let identity: NewIdentity
  package let persistence: Persistence
  package let limits: CredentialLimits?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    identity = try reader.required("identity").newIdentity()
    persistence = try reader["persistence"]?.enumeration(Persistence.self) ?? .forSession
    limits = try reader["limits"]?.handshakeLimits()
  }
}

/// The members of `IdentityLimits`.
package struct IdentityLimitsMembers: Sendable {
  /// Gone after this long without a handshake.
  package let idleSeconds: Double?
  /// Gone this long after it was given.
  package let lifetimeSeconds: Double?
  /// Gone at this time.
  package let notAfter: Double?
  /// Gone after so many handshakes.
  package let maximumUses: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000)
    lifetimeSeconds = try reader["lifetimeSeconds"]?.number(in: 0...315_360_000)
    notAfter = try reader["notAfter"]?.timestamp()
    maximumUses = try reader["maximumUses"]?.integer(in: 1...1_000_000_000)
  }
}

/// The members of `IdentityMaterial`.
package struct IdentityMaterialMembers: Sendable {
  /// PEM, in any order; without the key.
  package let certificates: String?
  /// PEM: PKCS#8, or the traditional form of RSA and EC keys. Secret.
  package let privateKey: Secret?
  /// Of an encrypted key. Secret.
  package let passphrase: Secret?
  /// Base64. Secret.
  package let pkcs12: Secret?
  package let pkcs11: TokenURI?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    certificates = try reader["certificates"]?.string(maximumBytes: 262_144, minimumBytes: 1)
    privateKey = try reader["privateKey"]?.secret(maximumBytes: 65_536)
    passphrase = try reader["passphrase"]?.secret(maximumBytes: 1024)
    pkcs12 = try reader["pkcs12"]?.secret(maximumBytes: 524_288)
    pkcs11 = try reader["pkcs11"]?.tokenURI(maximumBytes: 2048)
  }
}

/// The parameters of `identity/remove`.
package struct IdentityRemoveParameters: MethodParameters {
  package let session: String?
  package let identity: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    identity = try reader["identity"]?.string(maximumBytes: 64)
  }
}

/// The parameters of `initialize`.
package struct InitializeParameters: MethodParameters {
  /// What the caller can do. One that the daemon does not know is passed over.
  package struct Capabilities: Sendable {
    /// This connection can receive descriptors.
    package let descriptors: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      descriptors = try reader["descriptors"]?.bool() ?? false
      reader.passOverOthers()
    }
  }

  /// What the caller calls itself; shown to people.
  package let name: String?
  package let version: String?
  package let protocolVersion: String?
  /// What the caller can do. One that the daemon does not know is passed over.
  package let capabilities: Capabilities?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader["name"]?.string(maximumBytes: 256)
    version = try reader["version"]?.string(maximumBytes: 256)
    protocolVersion = try reader["protocolVersion"]?.protocolVersion()
    capabilities = try reader["capabilities"]?.object(Capabilities.init)
  }
}

/// The members of `LoginFormRule`.
package struct LoginFormRuleMembers: Sendable {
  /// The names of the input elements.
  package struct Fields: Sendable {
    package let user: String
    package let password: String

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      user = try reader.required("user").string(maximumBytes: 256, minimumBytes: 1)
      password = try reader.required("password").string(maximumBytes: 256, minimumBytes: 1)
    }
  }

  /// The page's URL, whose path may end in *; without a query it is for every query.
  package let page: String
  /// What else the response must be like.
  package let when: PageConditionMembers?
  /// The names of the input elements.
  package let fields: Fields
  /// What the answer to the form must be like; without members: no error, and not the form again.
  package let success: PageConditionMembers?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    page = try reader.required("page").string(maximumBytes: 16_384)
    when = try reader["when"]?.unlessNull?.object(PageConditionMembers.init)
    fields = try reader.required("fields").object(Fields.init)
    success = try reader["success"]?.unlessNull?.object(PageConditionMembers.init)
  }
}

/// The members of `Output`.
package struct OutputMembers: Sendable {
  package let descriptor: Int?
  /// The ETag of what the file already holds up to its current offset: continue there with Range and
  /// If-Range. See continuation in the result's body.
  package let resumeIfRange: String?
  package let digest: String?
  package let mode: Fetch.Output?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
    resumeIfRange = try reader["resumeIfRange"]?.string(maximumBytes: 1024)
    digest = try reader["digest"]?.string(maximumBytes: 1024)
    mode = try reader["mode"]?.bodyMode()
  }
}

/// The members of `PageCondition`.
package struct PageConditionMembers: Sendable {
  package let status: Int?
  /// CSS selectors of types, ids, classes and attributes, one of which an element of the page matches.
  package let selector: Selector?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    status = try reader["status"]?.integer(in: 200...599)
    selector = try reader["selector"]?.selector(maximumBytes: 1024)
  }
}

/// The members of `PassphraseCredential`.
package struct PassphraseCredentialMembers: Sendable {
  /// Secret.
  package let passphrase: Secret
  /// Means nothing: the passphrase is not kept.
  package let persistence: Persistence?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
    persistence = try reader["persistence"]?.enumeration(Persistence.self)
  }
}

/// The parameters of `agent/lock`, `agent/unlock`.
package struct PassphraseParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
  }
}

/// The parameters of `peer/listen`.
package struct PeerListenParameters: MethodParameters {
  /// A Unix stream socket that listens.
  package let descriptor: Int
  package let session: String?
  package let rules: [RestrictionRuleMembers]
  /// Left out: as long as the connection.
  package let expiresSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader.required("descriptor").integer(in: 0...15)
    session = try reader["session"]?.name(maximumBytes: 128)
    rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
      try element.object(RestrictionRuleMembers.init)
    }
    expiresSeconds = try reader["expiresSeconds"]?.number(in: 0.001...315_360_000)
  }
}

/// The parameters of `peer/restrict`.
package struct PeerRestrictParameters: MethodParameters {
  package let session: String?
  package let rules: [RestrictionRuleMembers]
  /// Left out: as long as the connection.
  package let expiresSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
      try element.object(RestrictionRuleMembers.init)
    }
    expiresSeconds = try reader["expiresSeconds"]?.number(in: 0.001...315_360_000)
  }
}

/// The members of `ProtectionSpaceKey`.
package struct ProtectionSpaceKeyMembers: Sendable {
  package let `protocol`: ProxyType
  /// Host name or address, however it is written: it means what it means in a URL. A name in other
  /// letters is given in its xn-- form; a final dot makes another host.
  package let host: String
  /// Left out, the protocol's own.
  package let port: Int?
  /// As the server spells it; null: a challenge without realm. Left out: any realm; credential/set binds
  /// the credential to the first that accepts it, the others name all of them.
  package let realm: Parameter?
  /// The realm exactly, instead of realm; beside it only as both are shown.
  package let realmBytes: String?
  /// default stands for basic and digest alike. key is a key in a header field of its own, and only for
  /// credential/set, credential/remove and credential/read (storage.md 9.4.9).
  package let authenticationMethod: [AuthenticationMethod]
  /// For key, in place of a realm: the header field that carries it. credential/remove without it names
  /// the keys of all fields.
  package let field: String?
  package let isProxy: Bool?
  /// Of a proxy; it is the protocol.
  package let proxyType: ProxyType?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    `protocol` = try reader.required("protocol").enumeration(ProxyType.self)
    host = try reader.required("host").host(maximumBytes: 255)
    port = try reader["port"]?.integer(in: 1...65_535)
    realm = reader["realm"]
    realmBytes = try reader["realmBytes"]?.string(maximumBytes: 5464)
    authenticationMethod = try reader.required("authenticationMethod").spaceMethods()
    field = try reader["field"]?.fieldName()
    isProxy = try reader["isProxy"]?.bool()
    proxyType = try reader["proxyType"]?.unlessNull?.enumeration(ProxyType.self)
  }
}

/// The members of `Proxies`.
package struct ProxiesMembers: Sendable {
  /// For http origins. Secret.
  package let http: Secret?
  /// For https origins. Secret.
  package let https: Secret?
  /// For origins whose scheme has no proxy of its own. Secret.
  package let all: Secret?
  /// Origins that are reached without a proxy: names with their subdomains, addresses, networks such as
  /// 10.0.0.0/8, names and addresses with a port, or *.
  package let except: [String]?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    http = try reader["http"]?.unlessNull?.secret(maximumBytes: 16_384)
    https = try reader["https"]?.unlessNull?.secret(maximumBytes: 16_384)
    all = try reader["all"]?.unlessNull?.secret(maximumBytes: 16_384)
    except = try reader["except"]?.array(maximum: 1024) { element throws(RPCError) in
      try element.string(maximumBytes: Int.max)
    }
  }
}

/// The parameters of `redirect/reply`.
package struct RedirectReplyParameters: MethodParameters {
  /// The members of `request`.
  package struct Request: Sendable {
    package let url: String?
    package let method: String?
    package let headers: [HeaderField]?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      url = try reader["url"]?.string(maximumBytes: 16_384, minimumBytes: 1)
      method = try reader["method"]?.method(maximumBytes: 32)
      headers = try reader["headers"]?.headers(maximum: 256)
    }
  }

  package let task: String
  /// The request to make, members left out as proposed; null: stop and deliver the 3xx.
  package let request: Request?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    task = try reader.required("task").name(maximumBytes: 128)
    request = try reader.required("request").unlessNull?.object(Request.init)
  }
}

/// The members of `RequestBody`.
package struct RequestBodyMembers: Sendable {
  package let text: String?
  package let base64: String?
  package let descriptor: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    text = try reader["text"]?.string(maximumBytes: Int.max)
    base64 = try reader["base64"]?.string(maximumBytes: Int.max)
    descriptor = try reader["descriptor"]?.integer(in: 0...15)
  }
}

/// The members of `RestrictionRule`.
package struct RestrictionRuleMembers: Sendable {
  /// These methods; never TRACE or TRACK, whose response repeats the credential.
  package let methods: Set<String>?
  /// Requests to this origin: a scheme, a host and perhaps a port.
  package let origin: String
  /// This path, or with * at its end every path that begins with its text; any query.
  package let path: String
  /// Header fields that requests may set beside those that carry no right, such as Accept.
  package let headers: Set<String>?
  /// A request body of so many bytes.
  package let requestBytes: Int?
  /// A result whose body has so many bytes, after decoding.
  package let responseBytes: Int?
  /// So many requests a minute, and as many at once (at least one); all connections of the restriction
  /// together.
  package let perMinute: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    methods = try reader["methods"]?.restrictedMethods(maximum: 64, minimum: 1)
    origin = try reader.required("origin").string(maximumBytes: 1024)
    path = try reader["path"]?.absolutePath(maximumBytes: 16_384) ?? "/*"
    headers = try reader["headers"]?.restrictedFields(maximum: 64)
    requestBytes = try reader["requestBytes"]?.integer(in: 0...Int.max)
    responseBytes = try reader["responseBytes"]?.integer(in: 0...Int.max)
    perMinute = try reader["perMinute"]?.number(in: 0.001...10_000_000)
  }
}

/// The parameters of `server/shutdown`.
package struct ServerShutdownParameters: MethodParameters {
  /// Finish running tasks first.
  package let graceful: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    graceful = try reader["graceful"]?.bool() ?? true
  }
}

/// The members of `SessionConfiguration`.
package struct SessionConfigurationMembers: Sendable {
  /// Authentication methods.
  package struct Methods: Sendable {
    /// What Digest may do.
    package struct Digest: Sendable {
      /// Whether a nonce that has served goes with the next request, before the server asks (methods.md 8.8).
      package let preemptive: MethodPolicy.Digest.Preemptive

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        preemptive = try reader["preemptive"]?.enumeration(MethodPolicy.Digest.Preemptive.self) ?? .auto
      }
    }

    /// What Negotiate may do.
    package struct Negotiate: Sendable {
      /// Origins, or proxies as http://host:port or https://host:port, to which the tickets of the daemon's
      /// uid are sent without a reply (methods.md 14.9, methods.md 15.13).
      package let ambientOrigins: [String]
      /// Whether the server may act with the user's tickets.
      package let delegate: Bool
      /// Whether NTLM may be the mechanism inside a negotiation (methods.md 14.10).
      package let allowNTLM: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        ambientOrigins =
          try reader["ambientOrigins"]?.array(maximum: 1024) { element throws(RPCError) in
            try element.string(maximumBytes: Int.max)
          } ?? []
        delegate = try reader["delegate"]?.bool() ?? false
        allowNTLM = try reader["allowNTLM"]?.bool() ?? false
      }
    }

    /// Which offers come first: a list, or the server's order. Methods left out come after those named, by
    /// strength (challenges.md 6.4).
    package let order: MethodPolicy.Order?
    /// Methods that are no offers at all.
    package let disabled: [AuthenticationMethod]?
    /// Whether stored and URL credentials may be used for Basic over http to a host other than loopback,
    /// and credentials, tokens too, go there with the first request. An explicit reply is always possible
    /// (challenges.md 6.7).
    package let basicOverCleartext: Bool
    /// Only the strongest offer of a response counts, and none weaker than any that the origin made before
    /// (challenges.md 6.6).
    package let strongestOnly: Bool
    /// What Digest may do.
    package let digest: Digest?
    /// What Negotiate may do.
    package let negotiate: Negotiate?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      order = try reader["order"]?.offerOrder()
      disabled = try reader["disabled"]?.offerMethods(maximum: 5)
      basicOverCleartext = try reader["basicOverCleartext"]?.bool() ?? false
      strongestOnly = try reader["strongestOnly"]?.bool() ?? false
      digest = try reader["digest"]?.object(Digest.init)
      negotiate = try reader["negotiate"]?.object(Negotiate.init)
    }
  }

  /// How challenges end.
  package struct Challenges: Sendable {
    /// How long a challenge waits for its reply.
    package let deadlineSeconds: Double
    /// What the deadline answers (challenges.md 5.11).
    package let unanswered: UnansweredMeaning
    /// Refusals per protection space and task before the 401 is delivered.
    package let refusalBudget: Int

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      deadlineSeconds = try reader["deadlineSeconds"]?.number(in: 0.001...86_400) ?? 300
      unanswered = try reader["unanswered"]?.enumeration(UnansweredMeaning.self) ?? .cancel
      refusalBudget = try reader["refusalBudget"]?.integer(in: 1...100) ?? 5
    }
  }

  /// TLS to origins.
  package struct TLS: Sendable {
    /// Further roots, or other ones.
    package struct Roots: Sendable {
      /// Certificates in PEM, 512 at most.
      package let certificates: String
      /// Only these roots instead of these and the system's.
      package let exclusive: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        certificates = try reader.required("certificates").string(maximumBytes: 1_048_576, minimumBytes: 1)
        exclusive = try reader["exclusive"]?.bool() ?? false
      }
    }

    /// The members of `pin`.
    package struct Pin: Sendable {
      /// A host, *. and a name: every host below it, at any depth; or *: every origin.
      package let host: HostPattern
      /// Of which the chain has to hold one: the server's key or that of an issuer.
      package let publicKeys: [Fingerprint]
      /// A chain without one is counted (pins.reported) and logged, and goes on.
      package let reportOnly: Bool
      /// Whether a reply may accept a chain without one.
      package let excusable: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        host = try reader.required("host").hostPattern(maximumBytes: 255)
        publicKeys = try reader.required("publicKeys").publicKeys(maximum: 64, minimum: 1)
        reportOnly = try reader["reportOnly"]?.bool() ?? false
        excusable = try reader["excusable"]?.bool() ?? true
      }
    }

    /// Further roots, or with exclusive the only ones; at most 1 MiB.
    package let roots: Roots?
    /// Not above the maximum.
    package let minimumVersion: AllowedVersions.TLS
    /// Not below the minimum.
    package let maximumVersion: AllowedVersions.TLS
    /// Every rule for a host has to be met; else pinMismatch (messages.md 14.3).
    package let pins: [Pin]
    /// stapled: an OCSP response that the server sends is checked; required: there has to be a good one, or
    /// a list of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with
    /// off, too (messages.md 14.4).
    package let revocation: SessionConfiguration.Revocation
    /// PEM, at most 1 MiB and 512 lists, each for 64 distribution points at most. A certificate whose
    /// issuer has a list here is looked up in it; a list that has expired says nothing, which is
    /// revocationUnknown.
    package let revocationLists: String?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      roots = try reader["roots"]?.unlessNull?.object(Roots.init)
      minimumVersion = try reader["minimumVersion"]?.enumeration(AllowedVersions.TLS.self) ?? .tls12
      maximumVersion = try reader["maximumVersion"]?.enumeration(AllowedVersions.TLS.self) ?? .tls13
      pins =
        try reader["pins"]?.array(maximum: 256) { element throws(RPCError) in
          try element.object(Pin.init)
        } ?? []
      revocation = try reader["revocation"]?.enumeration(SessionConfiguration.Revocation.self) ?? .off
      revocationLists = try reader["revocationLists"]?.unlessNull?.string(maximumBytes: 1_048_576)
    }
  }

  /// What a 3xx does (messages.md, section 9).
  package struct Redirects: Sendable {
    /// follow; manual: deliver the 3xx; ask: task/willRedirect.
    package let policy: RedirectPolicy.Mode
    /// Redirects in one task.
    package let limit: Int
    /// Whether https may lead to http.
    package let allowDowngrade: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      policy = try reader["policy"]?.enumeration(RedirectPolicy.Mode.self) ?? .follow
      limit = try reader["limit"]?.integer(in: 0...50) ?? 20
      allowDowngrade = try reader["allowDowngrade"]?.bool() ?? false
    }
  }

  /// Bounds on response bodies.
  package struct Limits: Sendable {
    /// The largest body that travels inside a reply.
    package let inlineBodyBytes: Int
    /// The largest body that travels as a memory file (output auto).
    package let memoryBodyBytes: Int
    /// The largest body after decoding; null: no limit.
    package let decodedBodyBytes: Int?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      inlineBodyBytes = try reader["inlineBodyBytes"]?.integer(in: 0...67_108_864) ?? 8_388_608
      memoryBodyBytes = try reader["memoryBodyBytes"]?.integer(in: 0...Int.max) ?? 268_435_456
      decodedBodyBytes = try reader["decodedBodyBytes"]?.unlessNull?.integer(in: 0...Int.max)
    }
  }

  /// Where the session may connect.
  package struct Addresses: Sendable {
    /// host:port to address, instead of name resolution; each host and port once.
    package let resolve: [SessionConfiguration.Resolution]?
    /// The only origins that this session fetches, each scheme://host or scheme://host:port; null: all.
    package let allowOrigins: [String]?
    /// Refuse loopback, link-local and private addresses, checked when connecting.
    package let refusePrivate: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      resolve = try reader["resolve"]?.resolutions(maximum: 4096)
      allowOrigins =
        try reader["allowOrigins"]?.unlessNull?.array(maximum: 1024) { element throws(RPCError) in
          try element.string(maximumBytes: Int.max)
        }
      refusePrivate = try reader["refusePrivate"]?.bool() ?? false
    }
  }

  /// Secret.
  package struct Netrc: Sendable {
    /// The text of a netrc file. Secret.
    package let text: WatchwordCore.Netrc?
    /// Instead of text: a file that is not UTF-8. Secret.
    package let base64: WatchwordCore.Netrc?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      text = try reader["text"]?.netrc(maximumBytes: 65_536)
      base64 = try reader["base64"]?.netrcOctets(maximumBytes: 87_384)
    }
  }

  /// Whether the session goes by what is permanent and may add to it; private: an ephemeral session,
  /// without permanent credentials and decisions.
  package let credentialStorage: SessionConfiguration.CredentialStorage
  /// Authentication methods.
  package let methods: Methods?
  /// How challenges end.
  package let challenges: Challenges?
  /// TLS to origins.
  package let tls: TLS?
  /// Which proxies lead to the origins of the session (messages.md 14.8).
  package let proxies: SessionConfiguration.Proxies?
  /// What a 3xx does (messages.md, section 9).
  package let redirects: Redirects?
  /// Defaults for the session's tasks.
  package let timeouts: TimeoutsMembers?
  /// Fields added to every request of the session that does not set them itself.
  package let headers: [HeaderField]?
  /// Which cookies the session keeps (messages.md, section 10).
  package let cookies: SessionConfiguration.Cookies
  /// Not in this version: only none (messages.md 14.2).
  package let cache: String
  /// How long a named session outlives its last holder and task.
  package let idleSeconds: Double
  /// Connections to one host, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together.
  package let connectionsPerHost: Int
  /// HTTP versions to use; the server chooses among them.
  package let httpVersions: [SessionConfiguration.HTTPVersion]?
  /// Bounds on response bodies.
  package let limits: Limits?
  /// Where the session may connect.
  package let addresses: Addresses?
  /// Users and passwords of hosts, which the session may use (messages.md 14.7).
  package let netrc: Netrc?
  /// Pages that are login forms: a task that meets one raises a challenge (messages.md 14.14).
  package let forms: [SessionConfiguration.Form]

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    credentialStorage =
      try reader["credentialStorage"]?.enumeration(SessionConfiguration.CredentialStorage.self) ?? .shared
    methods = try reader["methods"]?.object(Methods.init)
    challenges = try reader["challenges"]?.object(Challenges.init)
    tls = try reader["tls"]?.object(TLS.init)
    proxies = try reader["proxies"]?.proxies()
    redirects = try reader["redirects"]?.object(Redirects.init)
    timeouts = try reader["timeouts"]?.object(TimeoutsMembers.init)
    headers = try reader["headers"]?.headers(maximum: 256)
    cookies = try reader["cookies"]?.enumeration(SessionConfiguration.Cookies.self) ?? .accept
    cache = try reader["cache"]?.onlyNone() ?? "none"
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000) ?? 28_800
    connectionsPerHost = try reader["connectionsPerHost"]?.integer(in: 1...256) ?? 6
    httpVersions = try reader["httpVersions"]?.httpVersions(maximum: 2, minimum: 1)
    limits = try reader["limits"]?.object(Limits.init)
    addresses = try reader["addresses"]?.object(Addresses.init)
    netrc = try reader["netrc"]?.unlessNull?.object(Netrc.init)
    forms =
      try reader["forms"]?.array(maximum: 64) { element throws(RPCError) in
        try element.loginForm()
      } ?? []
  }
}

/// The parameters of `session/configure`.
package struct SessionConfigureParameters: MethodParameters {
  package let session: String?
  /// The members that change. In methods, methods.digest, methods.negotiate, challenges, tls, redirects,
  /// timeouts, limits and addresses each member on its own; any other value as a whole.
  package let configuration: SessionConfiguration?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    configuration = try reader["configuration"]?.sessionConfiguration()
  }
}

/// The parameters of `session/open`.
package struct SessionOpenParameters: MethodParameters {
  /// Left out, and without bySettings: a new session, private to this connection.
  package let name: String?
  /// Counts when the session is made. For an existing session it must be left out or equal.
  package let configuration: SessionConfiguration?
  /// The session of this uid that is named after the configuration, made if there is none; excludes name
  /// (messages.md 4.14).
  package let bySettings: Bool
  /// With bySettings: a text that counts as one more setting.
  package let variant: String?
  package let delegate: DelegateInterest?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader["name"]?.sessionName(maximumBytes: 128)
    configuration = try reader["configuration"]?.sessionConfiguration()
    bySettings = try reader["bySettings"]?.bool() ?? false
    variant = try reader["variant"]?.string(maximumBytes: 1024, minimumBytes: 1)
    delegate = try reader["delegate"]?.delegateInterest()
    try checkName()
  }
}

/// The parameters of `session/close`, `session/finish`, `session/invalidate`, `session/reset`,
/// `session/describe`, `task/list`, `challenge/list`, `credential/list`, `trust/list`, `identity/list`.
package struct SessionParameters: MethodParameters {
  package let session: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
  }
}

/// The parameters of `session/prune`.
package struct SessionPruneParameters: MethodParameters {
  /// Only those that were not used for so long.
  package let olderThanSeconds: Double

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    olderThanSeconds = try reader["olderThanSeconds"]?.number(in: 0...315_360_000) ?? 0
  }
}

/// The parameters of `status/subscribe`.
package struct StatusSubscribeParameters: MethodParameters {
  package let intervalSeconds: Double

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    intervalSeconds = try reader["intervalSeconds"]?.number(in: 0.1...3600) ?? 1
  }
}

/// The parameters of `task/cancel`, `task/suspend`, `task/resume`, `task/describe`.
package struct TaskParameters: MethodParameters {
  package let task: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    task = try reader.required("task").name(maximumBytes: 128)
  }
}

/// The members of `TaskRedirects`.
package struct TaskRedirectsMembers: Sendable {
  /// Redirects in the task.
  package let limit: Int?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    limit = try reader["limit"]?.integer(in: 0...50)
  }
}

/// The members of `TaskTLS`.
package struct TaskTLSMembers: Sendable {
  /// Not above the maximum, the task's or the session's.
  package let minimumVersion: AllowedVersions.TLS?
  /// Not below the minimum, the task's or the session's.
  package let maximumVersion: AllowedVersions.TLS?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    minimumVersion = try reader["minimumVersion"]?.enumeration(AllowedVersions.TLS.self)
    maximumVersion = try reader["maximumVersion"]?.enumeration(AllowedVersions.TLS.self)
  }
}

/// The members of `Timeouts`.
package struct TimeoutsMembers: Sendable {
  /// Until connected, TLS included.
  package let connectSeconds: Double?
  /// Without a byte of progress.
  package let requestSeconds: Double?
  /// For the whole task, without the time in which it waits for a reply or is suspended.
  package let resourceSeconds: Double?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    connectSeconds = try reader["connectSeconds"]?.number(in: 0.001...315_360_000)
    requestSeconds = try reader["requestSeconds"]?.number(in: 0.001...315_360_000)
    resourceSeconds = try reader["resourceSeconds"]?.number(in: 0.001...315_360_000)
  }
}

/// The parameters of `trust/addRoots`.
package struct TrustAddRootsParameters: MethodParameters {
  /// Certificates in PEM.
  package let certificates: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    certificates = try reader.required("certificates").string(maximumBytes: 1_048_576, minimumBytes: 1)
  }
}

/// The parameters of `trust/remove`.
package struct TrustRemoveParameters: MethodParameters {
  package let session: String?
  package let trust: String?
  /// A URL of the origin.
  package let origin: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    trust = try reader["trust"]?.string(maximumBytes: 64)
    origin = try reader["origin"]?.string(maximumBytes: 16_384, minimumBytes: 1)
  }
}

/// The parameters of `trust/removeRoots`.
package struct TrustRemoveRootsParameters: MethodParameters {
  /// The SHA-256 that trust/listRoots shows; left out: all.
  package let root: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    root = try reader["root"]?.string(maximumBytes: 64)
  }
}

/// The parameters of `vault/init`.
package struct VaultInitParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader["passphrase"]?.secret(maximumBytes: 1024, minimumBytes: 1)
  }
}

/// The parameters of `vault/passphrase`.
package struct VaultPassphraseParameters: MethodParameters {
  /// Secret.
  package let passphrase: Secret
  /// What opens the vault without a person does so in future, too.
  package let keepOthers: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
    keepOthers = try reader["keepOthers"]?.bool() ?? false
  }
}

/// The parameters of `vault/rekey`.
package struct VaultRekeyParameters: MethodParameters {
  package enum Opener: String, CaseIterable, Sendable {
    case keyFile
    case secretService
  }

  /// What opens the vault without a person from now on; left out, what did.
  package let opener: Opener?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    opener = try reader["opener"]?.enumeration(Opener.self)
  }
}

/// The parameters of `vault/export`, `vault/import`.
package struct VaultTransferParameters: MethodParameters {
  /// A regular file, a pipe or a socket that is open for writing.
  package let descriptor: Int
  /// Of the file. Secret.
  package let passphrase: Secret

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    descriptor = try reader.required("descriptor").integer(in: 0...15)
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
  }
}
