package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `agent/forget`. Clears the memory of the caller's uid: credentials, decisions,
  /// identities, cookies and tickets of every session, and what is decrypted of the vault.
  package struct AgentForget: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "agent/forget"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `agent/lock`. Locks the agent of the caller's uid with a passphrase of its own, and
  /// clears its memory.
  package struct AgentLock: MethodRequest {
    package typealias Result = Sent.AgentLock
    package static let method = "agent/lock"

    /// Secret.
    package let passphrase: Secret

    package init(passphrase: Secret) {
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("passphrase", passphrase)
    }
  }

  /// The parameters of `agent/unlock`. Unlocks the locked agent, or else opens the locked vault, with its
  /// passphrase.
  package struct AgentUnlock: MethodRequest {
    package typealias Result = Sent.AgentLock
    package static let method = "agent/unlock"

    /// Secret.
    package let passphrase: Secret

    package init(passphrase: Secret) {
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("passphrase", passphrase)
    }
  }

  /// The parameters of `challenge/describe`. Describes one pending challenge.
  package struct ChallengeDescribe: MethodRequest {
    package typealias Result = Sent.Challenge
    package static let method = "challenge/describe"

    package let challenge: String

    package init(challenge: String) {
      self.challenge = challenge
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
    }
  }

  /// The parameters of `challenge/list`. Lists the pending challenges that this connection is entitled to.
  package struct ChallengeList: MethodRequest {
    package typealias Result = Sent.ChallengeList
    package static let method = "challenge/list"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `challenge/reply`. Answers a challenge. Exactly one reply counts.
  package struct ChallengeReply: MethodRequest {
    package typealias Result = Sent.AcceptedReply
    package static let method = "challenge/reply"

    package let challenge: String
    package let disposition: Disposition
    package let credential: Request.Credential??
    package let because: String?

    package init(
      challenge: String, disposition: Disposition, credential: Request.Credential?? = nil,
      because: String? = nil
    ) {
      self.challenge = challenge
      self.disposition = disposition
      self.credential = credential
      self.because = because
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("disposition", disposition)
      if let credential { writer.member("credential", credential) }
      if let because { writer.member("because", because) }
    }
  }

  /// The parameters of `cookie/list`. Lists the session's cookies; with url, those that would be sent there.
  package struct CookieList: MethodRequest {
    package typealias Result = Sent.CookieList
    package static let method = "cookie/list"

    package let session: String?
    package let url: String?

    package init(session: String? = nil, url: String? = nil) {
      self.session = session
      self.url = url
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let url { writer.member("url", url) }
    }
  }

  /// The parameters of `cookie/remove`. Removes cookies by domain, by name, by both, or all.
  package struct CookieRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "cookie/remove"

    package let session: String?
    package let domain: String?
    package let name: String?

    package init(session: String? = nil, domain: String? = nil, name: String? = nil) {
      self.session = session
      self.domain = domain
      self.name = name
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let domain { writer.member("domain", domain) }
      if let name { writer.member("name", name) }
    }
  }

  /// The parameters of `cookie/set`. Stores a cookie.
  package struct CookieSet: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "cookie/set"

    package let session: String?
    package let cookie: Request.CookieToSet

    package init(session: String? = nil, cookie: Request.CookieToSet) {
      self.session = session
      self.cookie = cookie
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("cookie", cookie)
    }
  }

  /// `CookieToSet` of the contract.
  package struct CookieToSet: EncodedObject {
    package let name: String
    package let value: String
    package let domain: String
    package let path: String?
    package let expires: String?
    package let secure: Bool?
    package let httpOnly: Bool?

    package init(
      name: String, value: String, domain: String, path: String? = nil, expires: String? = nil,
      secure: Bool? = nil, httpOnly: Bool? = nil
    ) {
      self.name = name
      self.value = value
      self.domain = domain
      self.path = path
      self.expires = expires
      self.secure = secure
      self.httpOnly = httpOnly
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("value", value)
      writer.member("domain", domain)
      if let path { writer.member("path", path) }
      if let expires { writer.member("expires", expires) }
      if let secure { writer.member("secure", secure) }
      if let httpOnly { writer.member("httpOnly", httpOnly) }
    }
  }

  /// `Credential` of the contract.
  package struct Credential: EncodedObject {
    package let user: String?
    /// Secret.
    package let password: Secret?
    /// The password's octets in base64, instead of password: one that is not UTF-8 (challenges.md 6.10).
    /// Secret.
    package let passwordBytes: Secret?
    /// The realm or domain of the user, who is DOMAIN\user from then on.
    package let domain: String?
    /// Means nothing: the passphrase is not kept.
    package let persistence: Persistence?
    /// Send it with the first request, before the server asks: only for basic and bearer of an origin. A key
    /// always does (storage.md 9.4.6).
    package let preemptive: Bool?
    package let limits: Request.CredentialLimits?
    /// Secret.
    package let token: Secret?
    /// For key: what stands in front of it in its field, with its space.
    package let prefix: String?
    package let kerberos: Request.CredentialKerberos?
    /// Its name in the configuration file.
    package let source: String?
    package let trust: TrustScope?
    package let identity: TextOr<Request.IdentityMaterial>?
    /// Secret.
    package let passphrase: Secret?

    package init(
      user: String? = nil, password: Secret? = nil, passwordBytes: Secret? = nil, domain: String? = nil,
      persistence: Persistence? = nil, preemptive: Bool? = nil, limits: Request.CredentialLimits? = nil,
      token: Secret? = nil, prefix: String? = nil, kerberos: Request.CredentialKerberos? = nil,
      source: String? = nil, trust: TrustScope? = nil, identity: TextOr<Request.IdentityMaterial>? = nil,
      passphrase: Secret? = nil
    ) {
      self.user = user
      self.password = password
      self.passwordBytes = passwordBytes
      self.domain = domain
      self.persistence = persistence
      self.preemptive = preemptive
      self.limits = limits
      self.token = token
      self.prefix = prefix
      self.kerberos = kerberos
      self.source = source
      self.trust = trust
      self.identity = identity
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let user { writer.member("user", user) }
      if let password { writer.member("password", password) }
      if let passwordBytes { writer.member("passwordBytes", passwordBytes) }
      if let domain { writer.member("domain", domain) }
      if let persistence { writer.member("persistence", persistence) }
      if let preemptive { writer.member("preemptive", preemptive) }
      if let limits { writer.member("limits", limits) }
      if let token { writer.member("token", token) }
      if let prefix { writer.member("prefix", prefix) }
      if let kerberos { writer.member("kerberos", kerberos) }
      if let source { writer.member("source", source) }
      if let trust { writer.member("trust", trust) }
      if let identity { writer.member("identity", identity) }
      if let passphrase { writer.member("passphrase", passphrase) }
    }
  }

  /// The parameters of `credential/history`. Lists what happened to the uid's credentials: which delegates
  /// were asked, which answered, and which credential went to which server for which process.
  package struct CredentialHistory: MethodRequest {
    package typealias Result = Sent.History
    package static let method = "credential/history"

    package let limit: Int?
    package let user: String?
    package let origin: String?

    package init(limit: Int? = nil, user: String? = nil, origin: String? = nil) {
      self.limit = limit
      self.user = user
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let limit { writer.member("limit", limit) }
      if let user { writer.member("user", user) }
      if let origin { writer.member("origin", origin) }
    }
  }

  /// `CredentialKerberos` of the contract.
  package struct CredentialKerberos: EncodedObject {
    /// default: the tickets of the daemon's uid, for sessions of that uid; another name: a cache of the
    /// administrator's; or the contents of a cache.
    package let cache: TextOr<Request.FileContents>?
    /// The name of a keytab of the administrator's, which has its principal, or the contents of a keytab.
    package let keytab: TextOr<Request.FileContents>?
    /// The principal that logs in. Required with contents of a keytab.
    package let principal: String?

    package init(
      cache: TextOr<Request.FileContents>? = nil, keytab: TextOr<Request.FileContents>? = nil,
      principal: String? = nil
    ) {
      self.cache = cache
      self.keytab = keytab
      self.principal = principal
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let cache { writer.member("cache", cache) }
      if let keytab { writer.member("keytab", keytab) }
      if let principal { writer.member("principal", principal) }
    }
  }

  /// `CredentialLimits` of the contract.
  package struct CredentialLimits: EncodedObject {
    /// Gone after this long without a handshake.
    package let idleSeconds: Double?
    /// Gone this long after it was given.
    package let lifetimeSeconds: Double?
    /// Gone at this time.
    package let notAfter: String?
    /// Only for these paths and below.
    package let pathPrefixes: [String]?
    /// Only for these HTTP methods.
    package let methods: [String]?
    /// Gone after so many handshakes.
    package let maximumUses: Int?
    /// A use for another process raises a challenge first.
    package let confirm: Bool?

    package init(
      idleSeconds: Double? = nil, lifetimeSeconds: Double? = nil, notAfter: String? = nil,
      pathPrefixes: [String]? = nil, methods: [String]? = nil, maximumUses: Int? = nil, confirm: Bool? = nil
    ) {
      self.idleSeconds = idleSeconds
      self.lifetimeSeconds = lifetimeSeconds
      self.notAfter = notAfter
      self.pathPrefixes = pathPrefixes
      self.methods = methods
      self.maximumUses = maximumUses
      self.confirm = confirm
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let lifetimeSeconds { writer.member("lifetimeSeconds", lifetimeSeconds) }
      if let notAfter { writer.member("notAfter", notAfter) }
      if let pathPrefixes { writer.member("pathPrefixes", pathPrefixes) }
      if let methods { writer.member("methods", methods) }
      if let maximumUses { writer.member("maximumUses", maximumUses) }
      if let confirm { writer.member("confirm", confirm) }
    }
  }

  /// The parameters of `credential/list`. Lists stored credentials, never their secrets. Without session:
  /// those of session default.
  package struct CredentialList: MethodRequest {
    package typealias Result = Sent.CredentialList
    package static let method = "credential/list"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `credential/read`. Writes the secret of a readable credential into a pipe or a memory
  /// file that the caller sends.
  package struct CredentialRead: MethodRequest {
    package typealias Result = Sent.ReadCredential
    package static let method = "credential/read"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    /// Left out: the default user.
    package let user: String?
    /// What it is for; left out: the whole origin.
    package let path: String?
    /// Of those sent with the message; open for writing.
    package let descriptor: Int

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String? = nil,
      path: String? = nil, descriptor: Int
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.path = path
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      if let user { writer.member("user", user) }
      if let path { writer.member("path", path) }
      writer.member("descriptor", descriptor)
    }
  }

  /// The parameters of `credential/remove`. Removes a space's credentials, or one user's.
  package struct CredentialRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "credential/remove"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let user: String?
    /// Only the credentials that are kept for this path; null: only those for no path (storage.md 9.9.7).
    package let path: String??

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String? = nil,
      path: String?? = nil
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.path = path
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      if let user { writer.member("user", user) }
      if let path { writer.member("path", path) }
    }
  }

  /// The parameters of `credential/retry`. Lets what a server has refused, and what comes from outside the
  /// session, be sent once more.
  package struct CredentialRetry: MethodRequest {
    package typealias Result = Sent.RetriedCredentials
    package static let method = "credential/retry"

    package let session: String?
    package let url: String
    package let proxies: TextOr<Request.Proxies>?

    package init(session: String? = nil, url: String, proxies: TextOr<Request.Proxies>? = nil) {
      self.session = session
      self.url = url
      self.proxies = proxies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("url", url)
      if let proxies { writer.member("proxies", proxies) }
    }
  }

  /// The parameters of `credential/set`. Stores a credential for a protection space.
  package struct CredentialSet: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "credential/set"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let credential: Request.Credential
    package let `default`: Bool?
    package let readable: Bool?

    package init(
      session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, credential: Request.Credential,
      `default`: Bool? = nil, readable: Bool? = nil
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.credential = credential
      self.default = `default`
      self.readable = readable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      writer.member("credential", credential)
      if let `default` { writer.member("default", `default`) }
      if let readable { writer.member("readable", readable) }
    }
  }

  /// The parameters of `credential/setDefault`. Makes a stored user the default of its space.
  package struct CredentialSetDefault: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "credential/setDefault"

    package let session: String?
    package let protectionSpace: Request.ProtectionSpaceKey
    package let user: String

    package init(session: String? = nil, protectionSpace: Request.ProtectionSpaceKey, user: String) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
    }
  }

  /// Which challenges a connection takes. It replaces what the connection said before.
  package struct Delegate: EncodedObject {
    /// Methods this connection takes for tasks it started.
    package let tasks: [String]?
    /// Methods this connection takes for any task of the session.
    package let session: [String]?
    /// Whether serverTrust is asked about every chain, or about those only that default evaluation refuses.
    package let trustVerdicts: String?

    package init(tasks: [String]? = nil, session: [String]? = nil, trustVerdicts: String? = nil) {
      self.tasks = tasks
      self.session = session
      self.trustVerdicts = trustVerdicts
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let tasks { writer.member("tasks", tasks) }
      if let session { writer.member("session", session) }
      if let trustVerdicts { writer.member("trustVerdicts", trustVerdicts) }
    }
  }

  /// The parameters of `explain`. Says what would happen for a URL; nothing is sent.
  package struct Explain: MethodRequest {
    package typealias Result = Sent.Explanation
    package static let method = "explain"

    package let session: String?
    package let url: String
    package let method: String?
    package let headers: [HeaderField]?
    package let proxies: TextOr<Request.Proxies>?

    package init(
      session: String? = nil, url: String, method: String? = nil, headers: [HeaderField]? = nil,
      proxies: TextOr<Request.Proxies>? = nil
    ) {
      self.session = session
      self.url = url
      self.method = method
      self.headers = headers
      self.proxies = proxies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("url", url)
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
      if let proxies { writer.member("proxies", proxies) }
    }
  }

  /// The parameters of `fetch`. Runs a task and replies when it has finished.
  package struct Fetch: MethodRequest {
    package typealias Result = Sent.FetchResult
    package static let method = "fetch"

    package let session: String?
    package let task: String?
    package let url: String
    package let method: String?
    package let headers: [HeaderField]?
    package let sensitiveHeaders: [String]?
    package let body: Request.RequestBody?
    package let timeouts: Request.Timeouts?
    package let priority: Double?
    package let detached: Bool?
    package let output: TextOr<Request.Output>?
    package let decodeContent: Bool?
    package let maximumBodyBytes: Int?
    package let proxies: TextOr<Request.Proxies>?
    /// False: the first redirect is the result, whatever the session's policy says.
    package let followRedirects: Bool?
    package let redirects: Request.TaskRedirects?
    package let tls: Request.TaskTLS?
    package let httpVersions: [String]?
    package let ipVersion: String?
    package let maximumBytesPerSecond: Int?
    package let traceparent: String?
    package let cookies: String?
    package let metrics: Bool?
    package let exchangeDetails: Bool?

    package init(
      session: String? = nil, task: String? = nil, url: String, method: String? = nil,
      headers: [HeaderField]? = nil, sensitiveHeaders: [String]? = nil, body: Request.RequestBody? = nil,
      timeouts: Request.Timeouts? = nil, priority: Double? = nil, detached: Bool? = nil,
      output: TextOr<Request.Output>? = nil, decodeContent: Bool? = nil, maximumBodyBytes: Int? = nil,
      proxies: TextOr<Request.Proxies>? = nil, followRedirects: Bool? = nil,
      redirects: Request.TaskRedirects? = nil, tls: Request.TaskTLS? = nil, httpVersions: [String]? = nil,
      ipVersion: String? = nil, maximumBytesPerSecond: Int? = nil, traceparent: String? = nil,
      cookies: String? = nil, metrics: Bool? = nil, exchangeDetails: Bool? = nil
    ) {
      self.session = session
      self.task = task
      self.url = url
      self.method = method
      self.headers = headers
      self.sensitiveHeaders = sensitiveHeaders
      self.body = body
      self.timeouts = timeouts
      self.priority = priority
      self.detached = detached
      self.output = output
      self.decodeContent = decodeContent
      self.maximumBodyBytes = maximumBodyBytes
      self.proxies = proxies
      self.followRedirects = followRedirects
      self.redirects = redirects
      self.tls = tls
      self.httpVersions = httpVersions
      self.ipVersion = ipVersion
      self.maximumBytesPerSecond = maximumBytesPerSecond
      self.traceparent = traceparent
      self.cookies = cookies
      self.metrics = metrics
      self.exchangeDetails = exchangeDetails
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let task { writer.member("task", task) }
      writer.member("url", url)
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
      if let sensitiveHeaders { writer.member("sensitiveHeaders", sensitiveHeaders) }
      if let body { writer.member("body", body) }
      if let timeouts { writer.member("timeouts", timeouts) }
      if let priority { writer.member("priority", priority) }
      if let detached { writer.member("detached", detached) }
      if let output { writer.member("output", output) }
      if let decodeContent { writer.member("decodeContent", decodeContent) }
      if let maximumBodyBytes { writer.member("maximumBodyBytes", maximumBodyBytes) }
      if let proxies { writer.member("proxies", proxies) }
      if let followRedirects { writer.member("followRedirects", followRedirects) }
      if let redirects { writer.member("redirects", redirects) }
      if let tls { writer.member("tls", tls) }
      if let httpVersions { writer.member("httpVersions", httpVersions) }
      if let ipVersion { writer.member("ipVersion", ipVersion) }
      if let maximumBytesPerSecond { writer.member("maximumBytesPerSecond", maximumBytesPerSecond) }
      if let traceparent { writer.member("traceparent", traceparent) }
      if let cookies { writer.member("cookies", cookies) }
      if let metrics { writer.member("metrics", metrics) }
      if let exchangeDetails { writer.member("exchangeDetails", exchangeDetails) }
    }
  }

  /// `FileContents` of the contract.
  package struct FileContents: EncodedObject {
    /// Base64. Secret.
    package let base64: Secret?
    package let descriptor: Int?

    package init(base64: Secret? = nil, descriptor: Int? = nil) {
      self.base64 = base64
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let base64 { writer.member("base64", base64) }
      if let descriptor { writer.member("descriptor", descriptor) }
    }
  }

  /// The parameters of `identity/add`. Gives the session, or with permanent the uid, a client certificate
  /// with its key.
  package struct IdentityAdd: MethodRequest {
    package typealias Result = Sent.AddedIdentity
    package static let method = "identity/add"

    package let session: String?
    package let identity: Request.IdentityMaterial
    package let persistence: Persistence?
    package let limits: Request.IdentityLimits?

    package init(
      session: String? = nil, identity: Request.IdentityMaterial, persistence: Persistence? = nil,
      limits: Request.IdentityLimits? = nil
    ) {
      self.session = session
      self.identity = identity
      self.persistence = persistence
      self.limits = limits
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("identity", identity)
      if let persistence { writer.member("persistence", persistence) }
      if let limits { writer.member("limits", limits) }
    }
  }

  /// How long and how often an identity is presented. A use is a handshake: one for every request on its
  /// connection. Checked on listing as well as on use; at its limit it is gone with its key, and its
  /// connections are used no more.
  package struct IdentityLimits: EncodedObject {
    /// Gone after this long without a handshake.
    package let idleSeconds: Double?
    /// Gone this long after it was given.
    package let lifetimeSeconds: Double?
    /// Gone at this time.
    package let notAfter: String?
    /// Gone after so many handshakes.
    package let maximumUses: Int?

    package init(
      idleSeconds: Double? = nil, lifetimeSeconds: Double? = nil, notAfter: String? = nil,
      maximumUses: Int? = nil
    ) {
      self.idleSeconds = idleSeconds
      self.lifetimeSeconds = lifetimeSeconds
      self.notAfter = notAfter
      self.maximumUses = maximumUses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let lifetimeSeconds { writer.member("lifetimeSeconds", lifetimeSeconds) }
      if let notAfter { writer.member("notAfter", notAfter) }
      if let maximumUses { writer.member("maximumUses", maximumUses) }
    }
  }

  /// The parameters of `identity/list`. Lists the session's client certificates, the one that was added last
  /// first, and then the permanent ones of the uid; never a key.
  package struct IdentityList: MethodRequest {
    package typealias Result = Sent.IdentityList
    package static let method = "identity/list"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// `IdentityMaterial` of the contract.
  package struct IdentityMaterial: EncodedObject {
    /// PEM, that of the key first. Without them those of the token count.
    package let certificates: String?
    /// PEM: PKCS#8, or the traditional form of RSA and EC keys. Secret.
    package let privateKey: Secret?
    /// The token's PIN, 255 bytes at most. Secret.
    package let passphrase: Secret?
    /// Base64. Secret.
    package let pkcs12: Secret?
    package let pkcs11: String?

    package init(
      certificates: String? = nil, privateKey: Secret? = nil, passphrase: Secret? = nil,
      pkcs12: Secret? = nil, pkcs11: String? = nil
    ) {
      self.certificates = certificates
      self.privateKey = privateKey
      self.passphrase = passphrase
      self.pkcs12 = pkcs12
      self.pkcs11 = pkcs11
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let certificates { writer.member("certificates", certificates) }
      if let privateKey { writer.member("privateKey", privateKey) }
      if let passphrase { writer.member("passphrase", passphrase) }
      if let pkcs12 { writer.member("pkcs12", pkcs12) }
      if let pkcs11 { writer.member("pkcs11", pkcs11) }
    }
  }

  /// The parameters of `identity/remove`. Forgets a client certificate and its key, or all that identity/list
  /// shows, the permanent ones included.
  package struct IdentityRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "identity/remove"

    package let session: String?
    package let identity: String?

    package init(session: String? = nil, identity: String? = nil) {
      self.session = session
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let identity { writer.member("identity", identity) }
    }
  }

  /// The parameters of `identity/tokens`. Lists the certificates of the tokens that the daemon's PKCS#11
  /// modules have, each with the URI that names its key.
  package struct IdentityTokens: MethodRequest {
    package typealias Result = Sent.TokenList
    package static let method = "identity/tokens"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `initialize`. Says hello; optional.
  package struct Initialize: MethodRequest {
    package typealias Result = Sent.Greeting
    package static let method = "initialize"

    /// What the caller calls itself; shown to people.
    package let name: String?
    package let version: String?
    package let protocolVersion: String?
    /// What the caller can do. One that the daemon does not know is passed over.
    package let capabilities: Request.InitializeCapabilities?

    package init(
      name: String? = nil, version: String? = nil, protocolVersion: String? = nil,
      capabilities: Request.InitializeCapabilities? = nil
    ) {
      self.name = name
      self.version = version
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let name { writer.member("name", name) }
      if let version { writer.member("version", version) }
      if let protocolVersion { writer.member("protocolVersion", protocolVersion) }
      if let capabilities { writer.member("capabilities", capabilities) }
    }
  }

  /// What the caller can do. One that the daemon does not know is passed over.
  package struct InitializeCapabilities: EncodedObject {
    /// This connection can receive descriptors.
    package let descriptors: Bool?

    package init(descriptors: Bool? = nil) {
      self.descriptors = descriptors
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let descriptors { writer.member("descriptors", descriptors) }
    }
  }

  /// A page that is a login form, and how it is filled in.
  package struct LoginFormRule: EncodedObject {
    /// The page's URL, whose path may end in *; without a query it is for every query.
    package let page: String
    /// What else the response must be like.
    package let when: Request.PageCondition?
    /// The names of the input elements.
    package let fields: Request.LoginFormRuleFields
    /// What the answer to the form must be like; without members: no error, and not the form again.
    package let success: Request.PageCondition?

    package init(
      page: String, when: Request.PageCondition? = nil, fields: Request.LoginFormRuleFields,
      success: Request.PageCondition? = nil
    ) {
      self.page = page
      self.when = when
      self.fields = fields
      self.success = success
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("page", page)
      if let when { writer.member("when", when) }
      writer.member("fields", fields)
      if let success { writer.member("success", success) }
    }
  }

  /// The names of the input elements.
  package struct LoginFormRuleFields: EncodedObject {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("password", password)
    }
  }

  /// `Output` of the contract.
  package struct Output: EncodedObject {
    package let descriptor: Int?
    /// The ETag of what the file already holds up to its current offset: continue there with Range and
    /// If-Range. See continuation in the result's body.
    package let resumeIfRange: String?
    package let digest: String?
    package let mode: String?

    package init(
      descriptor: Int? = nil, resumeIfRange: String? = nil, digest: String? = nil, mode: String? = nil
    ) {
      self.descriptor = descriptor
      self.resumeIfRange = resumeIfRange
      self.digest = digest
      self.mode = mode
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let descriptor { writer.member("descriptor", descriptor) }
      if let resumeIfRange { writer.member("resumeIfRange", resumeIfRange) }
      if let digest { writer.member("digest", digest) }
      if let mode { writer.member("mode", mode) }
    }
  }

  /// `PageCondition` of the contract.
  package struct PageCondition: EncodedObject {
    package let status: Int?
    /// CSS selectors of types, ids, classes and attributes, one of which an element of the page matches.
    package let selector: String?

    package init(status: Int? = nil, selector: String? = nil) {
      self.status = status
      self.selector = selector
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let status { writer.member("status", status) }
      if let selector { writer.member("selector", selector) }
    }
  }

  /// The parameters of `peer/listen`. Serves restricted connections on a socket of the caller's.
  package struct PeerListen: MethodRequest {
    package typealias Result = Sent.AddedRestriction
    package static let method = "peer/listen"

    package let descriptor: Int
    package let session: String?
    package let rules: [Request.RestrictionRule]
    package let expiresSeconds: Double?

    package init(
      descriptor: Int, session: String? = nil, rules: [Request.RestrictionRule], expiresSeconds: Double? = nil
    ) {
      self.descriptor = descriptor
      self.session = session
      self.rules = rules
      self.expiresSeconds = expiresSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptor", descriptor)
      if let session { writer.member("session", session) }
      writer.member("rules", rules)
      if let expiresSeconds { writer.member("expiresSeconds", expiresSeconds) }
    }
  }

  /// The parameters of `peer/restrict`. Leaves this connection nothing but to fetch by rules, for good.
  package struct PeerRestrict: MethodRequest {
    package typealias Result = Sent.AddedRestriction
    package static let method = "peer/restrict"

    package let session: String?
    package let rules: [Request.RestrictionRule]
    package let expiresSeconds: Double?

    package init(session: String? = nil, rules: [Request.RestrictionRule], expiresSeconds: Double? = nil) {
      self.session = session
      self.rules = rules
      self.expiresSeconds = expiresSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("rules", rules)
      if let expiresSeconds { writer.member("expiresSeconds", expiresSeconds) }
    }
  }

  /// The parameters of `ping`. Answers at once.
  package struct Ping: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "ping"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// Names a protection space in a request.
  package struct ProtectionSpaceKey: EncodedObject {
    package let `protocol`: String
    /// Host name or address, however it is written: it means what it means in a URL. A name in other letters
    /// is given in its xn-- form; a final dot makes another host.
    package let host: String
    /// Left out, the protocol's own.
    package let port: Int?
    /// As the server spells it; null: a challenge without realm. Left out: any realm; credential/set binds
    /// the credential to the first that accepts it, the others name all of them.
    package let realm: String??
    /// The realm exactly, instead of realm; beside it only as both are shown.
    package let realmBytes: String?
    /// default stands for basic and digest alike. key is a key in a header field of its own, and only for
    /// credential/set, credential/remove and credential/read (storage.md 9.4.9).
    package let authenticationMethod: String
    /// For key, in place of a realm: the header field that carries it. credential/remove without it names the
    /// keys of all fields.
    package let field: String?
    package let isProxy: Bool?
    /// Of a proxy; it is the protocol.
    package let proxyType: String?

    package init(
      `protocol`: String, host: String, port: Int? = nil, realm: String?? = nil, realmBytes: String? = nil,
      authenticationMethod: String, field: String? = nil, isProxy: Bool? = nil, proxyType: String? = nil
    ) {
      self.protocol = `protocol`
      self.host = host
      self.port = port
      self.realm = realm
      self.realmBytes = realmBytes
      self.authenticationMethod = authenticationMethod
      self.field = field
      self.isProxy = isProxy
      self.proxyType = proxyType
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("host", host)
      if let port { writer.member("port", port) }
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      if let field { writer.member("field", field) }
      if let isProxy { writer.member("isProxy", isProxy) }
      if let proxyType { writer.member("proxyType", proxyType) }
    }
  }

  /// `Proxies` of the contract.
  package struct Proxies: EncodedObject {
    /// For http origins. Secret.
    package let http: String?
    /// For https origins. Secret.
    package let https: String?
    /// For origins whose scheme has no proxy of its own. Secret.
    package let all: String?
    /// Origins that are reached without a proxy: names with their subdomains, addresses, networks such as
    /// 10.0.0.0/8, names and addresses with a port, or *.
    package let except: [String]?

    package init(http: String? = nil, https: String? = nil, all: String? = nil, except: [String]? = nil) {
      self.http = http
      self.https = https
      self.all = all
      self.except = except
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let http { writer.member("http", http) }
      if let https { writer.member("https", https) }
      if let all { writer.member("all", all) }
      if let except { writer.member("except", except) }
    }
  }

  /// The parameters of `redirect/reply`. Answers task/willRedirect.
  package struct RedirectReply: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "redirect/reply"

    package let task: String
    package let request: Request.RedirectReplyRequest?

    package init(task: String, request: Request.RedirectReplyRequest?) {
      self.task = task
      self.request = request
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("request", request)
    }
  }

  /// `RedirectReplyRequest` of the contract.
  package struct RedirectReplyRequest: EncodedObject {
    package let url: String?
    package let method: String?
    package let headers: [HeaderField]?

    package init(url: String? = nil, method: String? = nil, headers: [HeaderField]? = nil) {
      self.url = url
      self.method = method
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let url { writer.member("url", url) }
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
    }
  }

  /// `RequestBody` of the contract.
  package struct RequestBody: EncodedObject {
    package let text: String?
    package let base64: String?
    package let descriptor: Int?

    package init(text: String? = nil, base64: String? = nil, descriptor: Int? = nil) {
      self.text = text
      self.base64 = base64
      self.descriptor = descriptor
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let text { writer.member("text", text) }
      if let base64 { writer.member("base64", base64) }
      if let descriptor { writer.member("descriptor", descriptor) }
    }
  }

  /// What is left out is not limited.
  package struct RestrictionRule: EncodedObject {
    /// These methods; never TRACE or TRACK, whose response repeats the credential.
    package let methods: [String]?
    /// Requests to this origin: a scheme, a host and perhaps a port.
    package let origin: String
    /// This path, or with * at its end every path that begins with its text; any query.
    package let path: String?
    /// Header fields that requests may set beside those that carry no right, such as Accept.
    package let headers: [String]?
    /// A request body of so many bytes.
    package let requestBytes: Int?
    /// A result whose body has so many bytes, after decoding.
    package let responseBytes: Int?
    /// So many requests a minute, and as many at once (at least one); all connections of the restriction
    /// together.
    package let perMinute: Double?

    package init(
      methods: [String]? = nil, origin: String, path: String? = nil, headers: [String]? = nil,
      requestBytes: Int? = nil, responseBytes: Int? = nil, perMinute: Double? = nil
    ) {
      self.methods = methods
      self.origin = origin
      self.path = path
      self.headers = headers
      self.requestBytes = requestBytes
      self.responseBytes = responseBytes
      self.perMinute = perMinute
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let methods { writer.member("methods", methods) }
      writer.member("origin", origin)
      if let path { writer.member("path", path) }
      if let headers { writer.member("headers", headers) }
      if let requestBytes { writer.member("requestBytes", requestBytes) }
      if let responseBytes { writer.member("responseBytes", responseBytes) }
      if let perMinute { writer.member("perMinute", perMinute) }
    }
  }

  /// The parameters of `rpc.discover`. Returns this document.
  package struct RpcDiscover: MethodRequest {
    package typealias Result = OpenValue
    package static let method = "rpc.discover"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `server/configuration`. Shows the settings of the daemon in use, and the file they are
  /// from. The daemon's uid or root only.
  package struct ServerConfiguration: MethodRequest {
    package typealias Result = Sent.ServerConfiguration
    package static let method = "server/configuration"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `server/reload`. Reads the daemon's configuration again; one that is broken changes
  /// nothing. The daemon's uid or root only.
  package struct ServerReload: MethodRequest {
    package typealias Result = Sent.Reloaded
    package static let method = "server/reload"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `server/restart`. Starts the daemon that follows this one, which takes over the
  /// sockets and what sessions have in memory. The daemon's uid or root only.
  package struct ServerRestart: MethodRequest {
    package typealias Result = Sent.Restarting
    package static let method = "server/restart"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `server/shutdown`. Stops the daemon. The daemon's uid or root only.
  package struct ServerShutdown: MethodRequest {
    package typealias Result = Sent.Stopping
    package static let method = "server/shutdown"

    /// Finish running tasks first.
    package let graceful: Bool?

    package init(graceful: Bool? = nil) {
      self.graceful = graceful
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let graceful { writer.member("graceful", graceful) }
    }
  }

  /// The parameters of `session/close`. Leaves the session; a private one ends.
  package struct SessionClose: MethodRequest {
    package typealias Result = Sent.SessionReference
    package static let method = "session/close"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// A session's settings, all optional. They count when the session is made, and change with
  /// session/configure (messages.md 4.16).
  package struct SessionConfiguration: EncodedObject {
    /// Whether the session goes by what is permanent and may add to it; private: an ephemeral session,
    /// without permanent credentials and decisions.
    package let credentialStorage: String?
    /// Authentication methods.
    package let methods: Request.SessionConfigurationMethods?
    /// How challenges end.
    package let challenges: Request.SessionConfigurationChallenges?
    /// TLS to origins.
    package let tls: Request.SessionConfigurationTls?
    /// Which proxies lead to the origins of the session (messages.md 14.8).
    package let proxies: TextOr<Request.Proxies>?
    /// What a 3xx does (messages.md, section 9).
    package let redirects: Request.SessionConfigurationRedirects?
    /// Defaults for the session's tasks.
    package let timeouts: Request.Timeouts?
    /// Fields added to every request of the session that does not set them itself.
    package let headers: [HeaderField]?
    /// Which cookies the session keeps (messages.md, section 10).
    package let cookies: String?
    /// Not in this version: only none (messages.md 14.2).
    package let cache: String?
    /// How long a named session outlives its last holder and task.
    package let idleSeconds: Double?
    /// Connections to one host, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together.
    package let connectionsPerHost: Int?
    /// HTTP versions to use; the server chooses among them.
    package let httpVersions: [String]?
    /// Bounds on response bodies.
    package let limits: Request.SessionConfigurationLimits?
    /// Where the session may connect.
    package let addresses: Request.SessionConfigurationAddresses?
    /// Users and passwords of hosts, which the session may use (messages.md 14.7).
    package let netrc: Request.SessionConfigurationNetrc?
    /// Pages that are login forms: a task that meets one raises a challenge (messages.md 14.14).
    package let forms: [Request.LoginFormRule]?

    package init(
      credentialStorage: String? = nil, methods: Request.SessionConfigurationMethods? = nil,
      challenges: Request.SessionConfigurationChallenges? = nil, tls: Request.SessionConfigurationTls? = nil,
      proxies: TextOr<Request.Proxies>? = nil, redirects: Request.SessionConfigurationRedirects? = nil,
      timeouts: Request.Timeouts? = nil, headers: [HeaderField]? = nil, cookies: String? = nil,
      cache: String? = nil, idleSeconds: Double? = nil, connectionsPerHost: Int? = nil,
      httpVersions: [String]? = nil, limits: Request.SessionConfigurationLimits? = nil,
      addresses: Request.SessionConfigurationAddresses? = nil,
      netrc: Request.SessionConfigurationNetrc? = nil, forms: [Request.LoginFormRule]? = nil
    ) {
      self.credentialStorage = credentialStorage
      self.methods = methods
      self.challenges = challenges
      self.tls = tls
      self.proxies = proxies
      self.redirects = redirects
      self.timeouts = timeouts
      self.headers = headers
      self.cookies = cookies
      self.cache = cache
      self.idleSeconds = idleSeconds
      self.connectionsPerHost = connectionsPerHost
      self.httpVersions = httpVersions
      self.limits = limits
      self.addresses = addresses
      self.netrc = netrc
      self.forms = forms
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let credentialStorage { writer.member("credentialStorage", credentialStorage) }
      if let methods { writer.member("methods", methods) }
      if let challenges { writer.member("challenges", challenges) }
      if let tls { writer.member("tls", tls) }
      if let proxies { writer.member("proxies", proxies) }
      if let redirects { writer.member("redirects", redirects) }
      if let timeouts { writer.member("timeouts", timeouts) }
      if let headers { writer.member("headers", headers) }
      if let cookies { writer.member("cookies", cookies) }
      if let cache { writer.member("cache", cache) }
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let connectionsPerHost { writer.member("connectionsPerHost", connectionsPerHost) }
      if let httpVersions { writer.member("httpVersions", httpVersions) }
      if let limits { writer.member("limits", limits) }
      if let addresses { writer.member("addresses", addresses) }
      if let netrc { writer.member("netrc", netrc) }
      if let forms { writer.member("forms", forms) }
    }
  }

  /// Where the session may connect.
  package struct SessionConfigurationAddresses: EncodedObject {
    /// host:port to address, instead of name resolution; each host and port once.
    package let resolve: [(name: String, value: String)]?
    /// The only origins that this session fetches, each scheme://host or scheme://host:port; null: all.
    package let allowOrigins: [String]?
    /// Refuse loopback, link-local and private addresses, checked when connecting.
    package let refusePrivate: Bool?

    package init(
      resolve: [(name: String, value: String)]? = nil, allowOrigins: [String]? = nil,
      refusePrivate: Bool? = nil
    ) {
      self.resolve = resolve
      self.allowOrigins = allowOrigins
      self.refusePrivate = refusePrivate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let resolve { writer.member("resolve", resolve) }
      if let allowOrigins { writer.member("allowOrigins", allowOrigins) }
      if let refusePrivate { writer.member("refusePrivate", refusePrivate) }
    }
  }

  /// How challenges end.
  package struct SessionConfigurationChallenges: EncodedObject {
    /// How long a challenge waits for its reply.
    package let deadlineSeconds: Double?
    /// What the deadline answers (challenges.md 5.11).
    package let unanswered: UnansweredMeaning?
    /// Refusals per protection space and task before the 401 is delivered.
    package let refusalBudget: Int?

    package init(
      deadlineSeconds: Double? = nil, unanswered: UnansweredMeaning? = nil, refusalBudget: Int? = nil
    ) {
      self.deadlineSeconds = deadlineSeconds
      self.unanswered = unanswered
      self.refusalBudget = refusalBudget
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let deadlineSeconds { writer.member("deadlineSeconds", deadlineSeconds) }
      if let unanswered { writer.member("unanswered", unanswered) }
      if let refusalBudget { writer.member("refusalBudget", refusalBudget) }
    }
  }

  /// Bounds on response bodies.
  package struct SessionConfigurationLimits: EncodedObject {
    /// The largest body that travels inside a reply.
    package let inlineBodyBytes: Int?
    /// The largest body that travels as a memory file (output auto).
    package let memoryBodyBytes: Int?
    /// The largest body after decoding; null: no limit.
    package let decodedBodyBytes: Int?

    package init(inlineBodyBytes: Int? = nil, memoryBodyBytes: Int? = nil, decodedBodyBytes: Int? = nil) {
      self.inlineBodyBytes = inlineBodyBytes
      self.memoryBodyBytes = memoryBodyBytes
      self.decodedBodyBytes = decodedBodyBytes
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let inlineBodyBytes { writer.member("inlineBodyBytes", inlineBodyBytes) }
      if let memoryBodyBytes { writer.member("memoryBodyBytes", memoryBodyBytes) }
      if let decodedBodyBytes { writer.member("decodedBodyBytes", decodedBodyBytes) }
    }
  }

  /// Authentication methods.
  package struct SessionConfigurationMethods: EncodedObject {
    /// Which offers come first: a list, or the server's order. Methods left out come after those named, by
    /// strength (challenges.md 6.4).
    package let order: TextOr<[String]>?
    /// Methods that are no offers at all.
    package let disabled: [String]?
    /// Whether stored and URL credentials may be used for Basic over http to a host other than loopback, and
    /// credentials, tokens too, go there with the first request. An explicit reply is always possible
    /// (challenges.md 6.7).
    package let basicOverCleartext: Bool?
    /// Only the strongest offer of a response counts, and none weaker than any that the origin made before
    /// (challenges.md 6.6).
    package let strongestOnly: Bool?
    /// What Digest may do.
    package let digest: Request.SessionConfigurationMethodsDigest?
    /// What Negotiate may do.
    package let negotiate: Request.SessionConfigurationMethodsNegotiate?

    package init(
      order: TextOr<[String]>? = nil, disabled: [String]? = nil, basicOverCleartext: Bool? = nil,
      strongestOnly: Bool? = nil, digest: Request.SessionConfigurationMethodsDigest? = nil,
      negotiate: Request.SessionConfigurationMethodsNegotiate? = nil
    ) {
      self.order = order
      self.disabled = disabled
      self.basicOverCleartext = basicOverCleartext
      self.strongestOnly = strongestOnly
      self.digest = digest
      self.negotiate = negotiate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let order { writer.member("order", order) }
      if let disabled { writer.member("disabled", disabled) }
      if let basicOverCleartext { writer.member("basicOverCleartext", basicOverCleartext) }
      if let strongestOnly { writer.member("strongestOnly", strongestOnly) }
      if let digest { writer.member("digest", digest) }
      if let negotiate { writer.member("negotiate", negotiate) }
    }
  }

  /// What Digest may do.
  package struct SessionConfigurationMethodsDigest: EncodedObject {
    /// Whether a nonce that has served goes with the next request, before the server asks (methods.md 8.8).
    package let preemptive: String?

    package init(preemptive: String? = nil) {
      self.preemptive = preemptive
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let preemptive { writer.member("preemptive", preemptive) }
    }
  }

  /// What Negotiate may do.
  package struct SessionConfigurationMethodsNegotiate: EncodedObject {
    /// Origins, or proxies as http://host:port or https://host:port, to which the tickets of the daemon's uid
    /// are sent without a reply (methods.md 14.9, methods.md 15.13).
    package let ambientOrigins: [String]?
    /// Whether the server may act with the user's tickets.
    package let delegate: Bool?
    /// Whether NTLM may be the mechanism inside a negotiation (methods.md 14.10).
    package let allowNTLM: Bool?

    package init(ambientOrigins: [String]? = nil, delegate: Bool? = nil, allowNTLM: Bool? = nil) {
      self.ambientOrigins = ambientOrigins
      self.delegate = delegate
      self.allowNTLM = allowNTLM
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let ambientOrigins { writer.member("ambientOrigins", ambientOrigins) }
      if let delegate { writer.member("delegate", delegate) }
      if let allowNTLM { writer.member("allowNTLM", allowNTLM) }
    }
  }

  /// Secret.
  package struct SessionConfigurationNetrc: EncodedObject {
    /// The text of a netrc file. Secret.
    package let text: Secret?
    /// Instead of text: a file that is not UTF-8. Secret.
    package let base64: Secret?

    package init(text: Secret? = nil, base64: Secret? = nil) {
      self.text = text
      self.base64 = base64
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let text { writer.member("text", text) }
      if let base64 { writer.member("base64", base64) }
    }
  }

  /// What a 3xx does (messages.md, section 9).
  package struct SessionConfigurationRedirects: EncodedObject {
    /// follow; manual: deliver the 3xx; ask: task/willRedirect.
    package let policy: String?
    /// Redirects in one task.
    package let limit: Int?
    /// Whether https may lead to http.
    package let allowDowngrade: Bool?

    package init(policy: String? = nil, limit: Int? = nil, allowDowngrade: Bool? = nil) {
      self.policy = policy
      self.limit = limit
      self.allowDowngrade = allowDowngrade
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let policy { writer.member("policy", policy) }
      if let limit { writer.member("limit", limit) }
      if let allowDowngrade { writer.member("allowDowngrade", allowDowngrade) }
    }
  }

  /// TLS to origins.
  package struct SessionConfigurationTls: EncodedObject {
    /// Further roots, or with exclusive the only ones; at most 1 MiB.
    package let roots: Request.SessionConfigurationTlsRoots?
    /// Not above the maximum.
    package let minimumVersion: String?
    /// Not below the minimum.
    package let maximumVersion: String?
    /// Every rule for a host has to be met; else pinMismatch (messages.md 14.3).
    package let pins: [Request.SessionConfigurationTlsPin]?
    /// stapled: an OCSP response that the server sends is checked; required: there has to be a good one, or a
    /// list of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with off,
    /// too (messages.md 14.4).
    package let revocation: String?
    /// PEM, at most 1 MiB and 512 lists, each for 64 distribution points at most. A certificate whose issuer
    /// has a list here is looked up in it; a list that has expired says nothing, which is revocationUnknown.
    package let revocationLists: String?

    package init(
      roots: Request.SessionConfigurationTlsRoots? = nil, minimumVersion: String? = nil,
      maximumVersion: String? = nil, pins: [Request.SessionConfigurationTlsPin]? = nil,
      revocation: String? = nil, revocationLists: String? = nil
    ) {
      self.roots = roots
      self.minimumVersion = minimumVersion
      self.maximumVersion = maximumVersion
      self.pins = pins
      self.revocation = revocation
      self.revocationLists = revocationLists
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let roots { writer.member("roots", roots) }
      if let minimumVersion { writer.member("minimumVersion", minimumVersion) }
      if let maximumVersion { writer.member("maximumVersion", maximumVersion) }
      if let pins { writer.member("pins", pins) }
      if let revocation { writer.member("revocation", revocation) }
      if let revocationLists { writer.member("revocationLists", revocationLists) }
    }
  }

  /// `SessionConfigurationTlsPin` of the contract.
  package struct SessionConfigurationTlsPin: EncodedObject {
    /// A host, *. and a name: every host below it, at any depth; or *: every origin.
    package let host: String
    /// Of which the chain has to hold one: the server's key or that of an issuer.
    package let publicKeys: [String]
    /// A chain without one is counted (pins.reported) and logged, and goes on.
    package let reportOnly: Bool?
    /// Whether a reply may accept a chain without one.
    package let excusable: Bool?

    package init(host: String, publicKeys: [String], reportOnly: Bool? = nil, excusable: Bool? = nil) {
      self.host = host
      self.publicKeys = publicKeys
      self.reportOnly = reportOnly
      self.excusable = excusable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("host", host)
      writer.member("publicKeys", publicKeys)
      if let reportOnly { writer.member("reportOnly", reportOnly) }
      if let excusable { writer.member("excusable", excusable) }
    }
  }

  /// Further roots, or other ones.
  package struct SessionConfigurationTlsRoots: EncodedObject {
    /// Certificates in PEM, 512 at most.
    package let certificates: String
    /// Only these roots instead of these and the system's.
    package let exclusive: Bool?

    package init(certificates: String, exclusive: Bool? = nil) {
      self.certificates = certificates
      self.exclusive = exclusive
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
      if let exclusive { writer.member("exclusive", exclusive) }
    }
  }

  /// The parameters of `session/configure`. Changes settings of an existing session.
  package struct SessionConfigure: MethodRequest {
    package typealias Result = Sent.ConfiguredSession
    package static let method = "session/configure"

    package let session: String?
    package let configuration: Request.SessionConfiguration?

    package init(session: String? = nil, configuration: Request.SessionConfiguration? = nil) {
      self.session = session
      self.configuration = configuration
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let configuration { writer.member("configuration", configuration) }
    }
  }

  /// The parameters of `session/describe`. Describes one session with holders and configuration.
  package struct SessionDescribe: MethodRequest {
    package typealias Result = Sent.SessionDescription
    package static let method = "session/describe"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `session/finish`. Takes no new tasks, lets the running ones end, then invalidates.
  package struct SessionFinish: MethodRequest {
    package typealias Result = Sent.SessionReference
    package static let method = "session/finish"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `session/invalidate`. Cancels the tasks, which fail with taskCancelled, and ends the
  /// session.
  package struct SessionInvalidate: MethodRequest {
    package typealias Result = Sent.SessionReference
    package static let method = "session/invalidate"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `session/list`. Lists the sessions of this uid that this connection may see.
  package struct SessionList: MethodRequest {
    package typealias Result = Sent.SessionList
    package static let method = "session/list"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `session/open`. Opens or joins a session.
  package struct SessionOpen: MethodRequest {
    package typealias Result = Sent.OpenedSession
    package static let method = "session/open"

    package let name: String?
    package let configuration: Request.SessionConfiguration?
    package let bySettings: Bool?
    package let variant: String?
    package let delegate: Request.Delegate?

    package init(
      name: String? = nil, configuration: Request.SessionConfiguration? = nil, bySettings: Bool? = nil,
      variant: String? = nil, delegate: Request.Delegate? = nil
    ) {
      self.name = name
      self.configuration = configuration
      self.bySettings = bySettings
      self.variant = variant
      self.delegate = delegate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let name { writer.member("name", name) }
      if let configuration { writer.member("configuration", configuration) }
      if let bySettings { writer.member("bySettings", bySettings) }
      if let variant { writer.member("variant", variant) }
      if let delegate { writer.member("delegate", delegate) }
    }
  }

  /// The parameters of `session/prune`. Ends the named sessions of this uid that nobody uses.
  package struct SessionPrune: MethodRequest {
    package typealias Result = Sent.PrunedSessions
    package static let method = "session/prune"

    package let olderThanSeconds: Double?

    package init(olderThanSeconds: Double? = nil) {
      self.olderThanSeconds = olderThanSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let olderThanSeconds { writer.member("olderThanSeconds", olderThanSeconds) }
    }
  }

  /// The parameters of `session/reset`. Removes the session's cookies, credentials, trust decisions and
  /// identities, and closes idle connections.
  package struct SessionReset: MethodRequest {
    package typealias Result = Sent.SessionReference
    package static let method = "session/reset"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `status`. Returns one snapshot.
  package struct Status: MethodRequest {
    package typealias Result = Sent.StatusSnapshot
    package static let method = "status"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `status/subscribe`. Sends status/didChange from now on, at most once per interval and
  /// only after changes.
  package struct StatusSubscribe: MethodRequest {
    package typealias Result = Sent.Subscribed
    package static let method = "status/subscribe"

    package let intervalSeconds: Double?

    package init(intervalSeconds: Double? = nil) {
      self.intervalSeconds = intervalSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let intervalSeconds { writer.member("intervalSeconds", intervalSeconds) }
    }
  }

  /// The parameters of `status/unsubscribe`. Ends the subscription.
  package struct StatusUnsubscribe: MethodRequest {
    package typealias Result = Sent.Unsubscribed
    package static let method = "status/unsubscribe"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `task/cancel`. Cancels a task: it fails with taskCancelled.
  package struct TaskCancel: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "task/cancel"

    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }
  }

  /// The parameters of `task/describe`. Describes one task; for a finished detached one with its result or
  /// error.
  package struct TaskDescribe: MethodRequest {
    package typealias Result = Sent.TaskDescription
    package static let method = "task/describe"

    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }
  }

  /// The parameters of `task/list`. Lists tasks.
  package struct TaskList: MethodRequest {
    package typealias Result = Sent.TaskList
    package static let method = "task/list"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// How far the redirects of one task may lead.
  package struct TaskRedirects: EncodedObject {
    /// Redirects in the task.
    package let limit: Int?

    package init(limit: Int? = nil) {
      self.limit = limit
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let limit { writer.member("limit", limit) }
    }
  }

  /// The parameters of `task/resume`. Goes on with a suspended task.
  package struct TaskResume: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "task/resume"

    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }
  }

  /// The parameters of `task/start`. Starts a task and replies at once; the rest arrives as notifications.
  package struct TaskStart: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "task/start"

    package let session: String?
    package let task: String?
    package let url: String
    package let method: String?
    package let headers: [HeaderField]?
    package let sensitiveHeaders: [String]?
    package let body: Request.RequestBody?
    package let timeouts: Request.Timeouts?
    package let priority: Double?
    package let detached: Bool?
    package let output: TextOr<Request.Output>?
    package let decodeContent: Bool?
    package let maximumBodyBytes: Int?
    package let proxies: TextOr<Request.Proxies>?
    /// False: the first redirect is the result, whatever the session's policy says.
    package let followRedirects: Bool?
    package let redirects: Request.TaskRedirects?
    package let tls: Request.TaskTLS?
    package let httpVersions: [String]?
    package let ipVersion: String?
    package let maximumBytesPerSecond: Int?
    package let traceparent: String?
    package let cookies: String?
    package let metrics: Bool?
    package let exchangeDetails: Bool?

    package init(
      session: String? = nil, task: String? = nil, url: String, method: String? = nil,
      headers: [HeaderField]? = nil, sensitiveHeaders: [String]? = nil, body: Request.RequestBody? = nil,
      timeouts: Request.Timeouts? = nil, priority: Double? = nil, detached: Bool? = nil,
      output: TextOr<Request.Output>? = nil, decodeContent: Bool? = nil, maximumBodyBytes: Int? = nil,
      proxies: TextOr<Request.Proxies>? = nil, followRedirects: Bool? = nil,
      redirects: Request.TaskRedirects? = nil, tls: Request.TaskTLS? = nil, httpVersions: [String]? = nil,
      ipVersion: String? = nil, maximumBytesPerSecond: Int? = nil, traceparent: String? = nil,
      cookies: String? = nil, metrics: Bool? = nil, exchangeDetails: Bool? = nil
    ) {
      self.session = session
      self.task = task
      self.url = url
      self.method = method
      self.headers = headers
      self.sensitiveHeaders = sensitiveHeaders
      self.body = body
      self.timeouts = timeouts
      self.priority = priority
      self.detached = detached
      self.output = output
      self.decodeContent = decodeContent
      self.maximumBodyBytes = maximumBodyBytes
      self.proxies = proxies
      self.followRedirects = followRedirects
      self.redirects = redirects
      self.tls = tls
      self.httpVersions = httpVersions
      self.ipVersion = ipVersion
      self.maximumBytesPerSecond = maximumBytesPerSecond
      self.traceparent = traceparent
      self.cookies = cookies
      self.metrics = metrics
      self.exchangeDetails = exchangeDetails
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let task { writer.member("task", task) }
      writer.member("url", url)
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
      if let sensitiveHeaders { writer.member("sensitiveHeaders", sensitiveHeaders) }
      if let body { writer.member("body", body) }
      if let timeouts { writer.member("timeouts", timeouts) }
      if let priority { writer.member("priority", priority) }
      if let detached { writer.member("detached", detached) }
      if let output { writer.member("output", output) }
      if let decodeContent { writer.member("decodeContent", decodeContent) }
      if let maximumBodyBytes { writer.member("maximumBodyBytes", maximumBodyBytes) }
      if let proxies { writer.member("proxies", proxies) }
      if let followRedirects { writer.member("followRedirects", followRedirects) }
      if let redirects { writer.member("redirects", redirects) }
      if let tls { writer.member("tls", tls) }
      if let httpVersions { writer.member("httpVersions", httpVersions) }
      if let ipVersion { writer.member("ipVersion", ipVersion) }
      if let maximumBytesPerSecond { writer.member("maximumBytesPerSecond", maximumBytesPerSecond) }
      if let traceparent { writer.member("traceparent", traceparent) }
      if let cookies { writer.member("cookies", cookies) }
      if let metrics { writer.member("metrics", metrics) }
      if let exchangeDetails { writer.member("exchangeDetails", exchangeDetails) }
    }
  }

  /// The parameters of `task/suspend`. Pauses a task's transfer.
  package struct TaskSuspend: MethodRequest {
    package typealias Result = Sent.TaskReference
    package static let method = "task/suspend"

    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }
  }

  /// The versions of TLS of one task.
  package struct TaskTLS: EncodedObject {
    /// Not above the maximum, the task's or the session's.
    package let minimumVersion: String?
    /// Not below the minimum, the task's or the session's.
    package let maximumVersion: String?

    package init(minimumVersion: String? = nil, maximumVersion: String? = nil) {
      self.minimumVersion = minimumVersion
      self.maximumVersion = maximumVersion
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let minimumVersion { writer.member("minimumVersion", minimumVersion) }
      if let maximumVersion { writer.member("maximumVersion", maximumVersion) }
    }
  }

  /// They do not run while the task waits for a reply to a challenge or to a redirect.
  package struct Timeouts: EncodedObject {
    /// Until connected, TLS included.
    package let connectSeconds: Double?
    /// Without a byte of progress.
    package let requestSeconds: Double?
    /// For the whole task, without the time in which it waits for a reply or is suspended.
    package let resourceSeconds: Double?

    package init(
      connectSeconds: Double? = nil, requestSeconds: Double? = nil, resourceSeconds: Double? = nil
    ) {
      self.connectSeconds = connectSeconds
      self.requestSeconds = requestSeconds
      self.resourceSeconds = resourceSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let connectSeconds { writer.member("connectSeconds", connectSeconds) }
      if let requestSeconds { writer.member("requestSeconds", requestSeconds) }
      if let resourceSeconds { writer.member("resourceSeconds", resourceSeconds) }
    }
  }

  /// The parameters of `trust/addRoots`. Adds certificate authorities of the user, which every session of the
  /// uid trusts beside the system's.
  package struct TrustAddRoots: MethodRequest {
    package typealias Result = Sent.RootAddition
    package static let method = "trust/addRoots"

    /// Certificates in PEM.
    package let certificates: String

    package init(certificates: String) {
      self.certificates = certificates
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
    }
  }

  /// The parameters of `trust/list`. Lists the decisions about servers' certificates that the session goes
  /// by: its own, then the permanent ones.
  package struct TrustList: MethodRequest {
    package typealias Result = Sent.TrustList
    package static let method = "trust/list"

    package let session: String?

    package init(session: String? = nil) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
    }
  }

  /// The parameters of `trust/listRoots`. Lists the certificate authorities of the user.
  package struct TrustListRoots: MethodRequest {
    package typealias Result = Sent.RootList
    package static let method = "trust/listRoots"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `trust/remove`. Removes decisions about servers' certificates, by id, by origin, or
  /// all of them.
  package struct TrustRemove: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "trust/remove"

    package let session: String?
    package let trust: String?
    package let origin: String?

    package init(session: String? = nil, trust: String? = nil, origin: String? = nil) {
      self.session = session
      self.trust = trust
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let trust { writer.member("trust", trust) }
      if let origin { writer.member("origin", origin) }
    }
  }

  /// The parameters of `trust/removeRoots`. Removes one of the user's certificate authorities, or all.
  package struct TrustRemoveRoots: MethodRequest {
    package typealias Result = Sent.Removal
    package static let method = "trust/removeRoots"

    package let root: String?

    package init(root: String? = nil) {
      self.root = root
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let root { writer.member("root", root) }
    }
  }

  /// The parameters of `vault/check`. Reads the whole vault.
  package struct VaultCheck: MethodRequest {
    package typealias Result = Sent.VaultReport
    package static let method = "vault/check"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }
  }

  /// The parameters of `vault/export`. Writes the permanent credentials, decisions and identities of the uid
  /// to a descriptor, sealed.
  package struct VaultExport: MethodRequest {
    package typealias Result = Sent.ExportReport
    package static let method = "vault/export"

    package let descriptor: Int
    /// Of the file. Secret.
    package let passphrase: Secret

    package init(descriptor: Int, passphrase: Secret) {
      self.descriptor = descriptor
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptor", descriptor)
      writer.member("passphrase", passphrase)
    }
  }

  /// The parameters of `vault/import`. Merges the contents of an export into the vault of the uid.
  package struct VaultImport: MethodRequest {
    package typealias Result = Sent.ImportReport
    package static let method = "vault/import"

    package let descriptor: Int
    /// Of the file. Secret.
    package let passphrase: Secret

    package init(descriptor: Int, passphrase: Secret) {
      self.descriptor = descriptor
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptor", descriptor)
      writer.member("passphrase", passphrase)
    }
  }

  /// The parameters of `vault/init`. Makes the vault of the uid.
  package struct VaultInit: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/init"

    /// Secret.
    package let passphrase: Secret?

    package init(passphrase: Secret? = nil) {
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let passphrase { writer.member("passphrase", passphrase) }
    }
  }

  /// The parameters of `vault/passphrase`. Lets the vault open with this passphrase.
  package struct VaultPassphrase: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/passphrase"

    /// Secret.
    package let passphrase: Secret
    /// What opens the vault without a person does so in future, too.
    package let keepOthers: Bool?

    package init(passphrase: Secret, keepOthers: Bool? = nil) {
      self.passphrase = passphrase
      self.keepOthers = keepOthers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("passphrase", passphrase)
      if let keepOthers { writer.member("keepOthers", keepOthers) }
    }
  }

  /// The parameters of `vault/rekey`. Seals every record of the vault under a new data key.
  package struct VaultRekey: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/rekey"

    /// What opens the vault without a person from now on; left out, what did.
    package let opener: String?

    package init(opener: String? = nil) {
      self.opener = opener
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let opener { writer.member("opener", opener) }
    }
  }
}
