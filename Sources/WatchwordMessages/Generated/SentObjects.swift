package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// That a reply counts.
  package struct AcceptedReply: SentObject {
    package let accepted: Bool

    package init(accepted: Bool) {
      self.accepted = accepted
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("accepted", accepted)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      accepted = try object.member("accepted")
    }
  }

  /// A client identity that a session or the vault has.
  package struct AddedIdentity: SentObject {
    /// Its id, which is made from the certificate.
    package let identity: String

    package init(identity: String) {
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identity", identity)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identity = try object.member("identity")
    }
  }

  /// What restricts connections of a session.
  package struct AddedRestriction: SentObject {
    package let session: String
    /// Its id, as in status.
    package let restriction: String

    package init(session: String, restriction: String) {
      self.session = session
      self.restriction = restriction
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("restriction", restriction)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      restriction = try object.member("restriction")
    }
  }

  /// Whether the agent of the caller's uid is locked.
  package struct AgentLock: SentObject {
    package let locked: Bool

    package init(locked: Bool) {
      self.locked = locked
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("locked", locked)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      locked = try object.member("locked")
    }
  }

  /// `Certificate` of the contract.
  package struct Certificate: SentObject {
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let serialNumber: String
    package let notBefore: String
    package let notAfter: String
    package let subjectAlternativeNames: [String]
    package let keyType: String
    package let keyBits: Int
    /// Of the certificate.
    package let sha256: String
    /// sha256/ and the base64 of the SHA-256 of the SPKI.
    package let publicKey: String
    package let pem: String

    package init(
      subject: String, issuer: String, serialNumber: String, notBefore: String, notAfter: String,
      subjectAlternativeNames: [String], keyType: String, keyBits: Int, sha256: String, publicKey: String,
      pem: String
    ) {
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.subjectAlternativeNames = subjectAlternativeNames
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
      self.pem = pem
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("subjectAlternativeNames", subjectAlternativeNames)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("pem", pem)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      subjectAlternativeNames = try object.member("subjectAlternativeNames")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      pem = try object.member("pem")
    }
  }

  /// One question put to a delegate.
  package struct Challenge: SentObject {
    /// An id, unique for the life of the daemon and not guessable.
    package let challenge: String
    package let session: String
    /// The task that it describes: the one that raised it, or, when that no longer waits, another one that
    /// does.
    package let task: String
    /// Without userinfo. Its query is shown to the connection of the task only.
    package let url: String
    package let origin: String
    /// What the challenge is about.
    package let protectionSpace: Sent.ProtectionSpace
    /// Only when the task has chosen a proxy of its own: its URL without userinfo, through which the
    /// credential goes (storage.md 9.2.7).
    package let proxy: String?
    /// Only when a `Host` field of the task or its session names another server than the URL: its value in
    /// lower case, with `\x` and two digits for each octet that is not of ASCII. The credential goes to that
    /// server (storage.md 9.2.7).
    package let hostField: String?
    /// What callers of the session have chosen of the way to the server that asks, and neither the user nor
    /// the administrator (storage.md 9.6.12).
    package let callersWays: [String]
    /// Only when a person must enter a code: the name of the source that waits for it. The page and the code
    /// are in parameters of the protection space (methods.md 9.10.8).
    package let source: String?
    /// The offers of the response that are left for this task, in the order in which they are tried: the
    /// first 16 of them. The challenge is about the first. Empty for serverTrust and clientCertificate.
    package let offers: [Sent.Offer]
    /// How many are left, when offers does not list them all.
    package let offerCount: Int?
    /// The challenges of the response that cannot be answered: the first 16 of them (challenges.md 6.3).
    package let unusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let unusableOfferCount: Int?
    /// Never a secret (challenges.md 2.8).
    package let proposedCredential: Sent.ProposedCredential?
    /// Only for clientCertificate: the ids of the identities that fit, the session's own before the permanent
    /// ones. Default handling presents the first.
    package let identities: [String]?
    /// Refusals in this protection space during this task, also of credentials that another task tried while
    /// this one waited, and credentials that could not be used for the same reason again.
    package let previousFailureCount: Int
    /// Status and header fields of the refusing response, without Set-Cookie, Set-Cookie2,
    /// Authentication-Info and Proxy-Authentication-Info; null for a question of a handshake.
    package let failureResponse: Sent.ChallengeFailureResponse?
    /// A typed reason; more kinds may be added.
    package let error: Sent.ChallengeError?
    /// The tasks that wait under the challenge with their processes: the first 4,096 of them.
    package let waiters: [Sent.Waiter]
    /// How many wait in all.
    package let waiterCount: Int
    /// The processes that were asked, the one that can still answer last.
    package let asked: [Int]
    /// For how long it has waited for a reply.
    package let waitedSeconds: Double
    /// When the default is applied.
    package let deadline: String

    package init(
      challenge: String, session: String, task: String, url: String, origin: String,
      protectionSpace: Sent.ProtectionSpace, proxy: String?, hostField: String?, callersWays: [String],
      source: String?, offers: [Sent.Offer], offerCount: Int?, unusableOffers: [Sent.UnusableOffer],
      unusableOfferCount: Int?, proposedCredential: Sent.ProposedCredential?, identities: [String]?,
      previousFailureCount: Int, failureResponse: Sent.ChallengeFailureResponse?, error: Sent.ChallengeError?,
      waiters: [Sent.Waiter], waiterCount: Int, asked: [Int], waitedSeconds: Double, deadline: String
    ) {
      self.challenge = challenge
      self.session = session
      self.task = task
      self.url = url
      self.origin = origin
      self.protectionSpace = protectionSpace
      self.proxy = proxy
      self.hostField = hostField
      self.callersWays = callersWays
      self.source = source
      self.offers = offers
      self.offerCount = offerCount
      self.unusableOffers = unusableOffers
      self.unusableOfferCount = unusableOfferCount
      self.proposedCredential = proposedCredential
      self.identities = identities
      self.previousFailureCount = previousFailureCount
      self.failureResponse = failureResponse
      self.error = error
      self.waiters = waiters
      self.waiterCount = waiterCount
      self.asked = asked
      self.waitedSeconds = waitedSeconds
      self.deadline = deadline
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("session", session)
      writer.member("task", task)
      writer.member("url", url)
      writer.member("origin", origin)
      writer.member("protectionSpace", protectionSpace)
      if let proxy { writer.member("proxy", proxy) }
      if let hostField { writer.member("hostField", hostField) }
      if !callersWays.isEmpty { writer.member("callersWays", callersWays) }
      if let source { writer.member("source", source) }
      writer.member("offers", offers)
      if let offerCount { writer.member("offerCount", offerCount) }
      if !unusableOffers.isEmpty { writer.member("unusableOffers", unusableOffers) }
      if let unusableOfferCount { writer.member("unusableOfferCount", unusableOfferCount) }
      writer.member("proposedCredential", proposedCredential)
      if let identities { writer.member("identities", identities) }
      writer.member("previousFailureCount", previousFailureCount)
      writer.member("failureResponse", failureResponse)
      writer.member("error", error)
      writer.member("waiters", waiters)
      writer.member("waiterCount", waiterCount)
      if !asked.isEmpty { writer.member("asked", asked) }
      writer.member("waitedSeconds", waitedSeconds)
      writer.member("deadline", deadline)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
      session = try object.member("session")
      task = try object.member("task")
      url = try object.member("url")
      origin = try object.member("origin")
      protectionSpace = try object.member("protectionSpace")
      proxy = try object.memberIfPresent("proxy")
      hostField = try object.memberIfPresent("hostField")
      callersWays = try object.member("callersWays")
      source = try object.memberIfPresent("source")
      offers = try object.member("offers")
      offerCount = try object.memberIfPresent("offerCount")
      unusableOffers = try object.member("unusableOffers")
      unusableOfferCount = try object.memberIfPresent("unusableOfferCount")
      proposedCredential = try object.member("proposedCredential")
      identities = try object.memberIfPresent("identities")
      previousFailureCount = try object.member("previousFailureCount")
      failureResponse = try object.member("failureResponse")
      error = try object.member("error")
      waiters = try object.member("waiters")
      waiterCount = try object.member("waiterCount")
      asked = try object.member("asked")
      waitedSeconds = try object.member("waitedSeconds")
      deadline = try object.member("deadline")
    }
  }

  /// The parameters of `challenge/didSettle`. A challenge is over. To the holders that were asked.
  package struct ChallengeDidSettle: SentObject {
    package let challenge: String
    package let session: String
    package let outcome: String
    package let disposition: String?

    package init(challenge: String, session: String, outcome: String, disposition: String?) {
      self.challenge = challenge
      self.session = session
      self.outcome = outcome
      self.disposition = disposition
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("session", session)
      writer.member("outcome", outcome)
      writer.member("disposition", disposition)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
      session = try object.member("session")
      outcome = try object.member("outcome")
      disposition = try object.member("disposition")
    }
  }

  /// `ChallengeError` of the contract.
  package struct ChallengeError: SentObject {
    /// weakerOffer: the origin has offered something stronger for this realm before. confirmUse:
    /// performDefaultHandling lets this process use a stored credential with the limit confirm. sourceFailed:
    /// the administrator's source of this name gave nothing. Words of NegotiationFault: why a credential for
    /// negotiate or ntlm could not be used.
    package let kind: String
    /// Of sourceFailed: the name of the source.
    package let source: String?
    /// Of sourceFailed: why it gave nothing (administrator.md 15.3.8).
    package let reason: String?
    /// Of confirmUse.
    package let process: Int??
    /// Of weakerOffer.
    package let previous: Sent.OfferStrength?
    /// Of weakerOffer.
    package let offered: Sent.OfferStrength?

    package init(
      kind: String, source: String? = nil, reason: String? = nil, process: Int?? = nil,
      previous: Sent.OfferStrength? = nil, offered: Sent.OfferStrength? = nil
    ) {
      self.kind = kind
      self.source = source
      self.reason = reason
      self.process = process
      self.previous = previous
      self.offered = offered
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("kind", kind)
      if let source { writer.member("source", source) }
      if let reason { writer.member("reason", reason) }
      if let process { writer.member("process", process) }
      if let previous { writer.member("previous", previous) }
      if let offered { writer.member("offered", offered) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      kind = try object.member("kind")
      source = try object.memberIfPresent("source")
      reason = try object.memberIfPresent("reason")
      process = try object.memberIfPresent("process")
      previous = try object.memberIfPresent("previous")
      offered = try object.memberIfPresent("offered")
    }
  }

  /// `ChallengeFailureResponse` of the contract.
  package struct ChallengeFailureResponse: SentObject {
    package let status: Int
    package let headers: [HeaderField]

    package init(status: Int, headers: [HeaderField]) {
      self.status = status
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("status", status)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.member("status")
      headers = try object.member("headers")
    }
  }

  /// Pending challenges.
  package struct ChallengeList: SentObject {
    package let challenges: [Encoded<Sent.Challenge>]

    package init(challenges: [Encoded<Sent.Challenge>]) {
      self.challenges = challenges
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenges", challenges)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenges = try object.member("challenges")
    }
  }

  /// What session/configure has changed.
  package struct ConfiguredSession: SentObject {
    package let session: String
    /// The paths of the members whose values are others now.
    package let changed: [String]
    package let dropped: Sent.DroppedFromSession
    /// As those of session/open.
    package let warnings: [String]

    package init(session: String, changed: [String], dropped: Sent.DroppedFromSession, warnings: [String]) {
      self.session = session
      self.changed = changed
      self.dropped = dropped
      self.warnings = warnings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("changed", changed)
      writer.member("dropped", dropped)
      if !warnings.isEmpty { writer.member("warnings", warnings) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      changed = try object.member("changed")
      dropped = try object.member("dropped")
      warnings = try object.member("warnings")
    }
  }

  /// A cookie of a session.
  package struct Cookie: SentObject {
    package let name: String
    package let value: String
    package let domain: String
    package let path: String
    package let expires: String?
    package let secure: Bool
    package let httpOnly: Bool

    package init(
      name: String, value: String, domain: String, path: String, expires: String?, secure: Bool,
      httpOnly: Bool
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
      writer.member("path", path)
      writer.member("expires", expires)
      writer.member("secure", secure)
      writer.member("httpOnly", httpOnly)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      value = try object.member("value")
      domain = try object.member("domain")
      path = try object.member("path")
      expires = try object.member("expires")
      secure = try object.member("secure")
      httpOnly = try object.member("httpOnly")
    }
  }

  /// The cookies of a session.
  package struct CookieList: SentObject {
    package let cookies: [Sent.Cookie]

    package init(cookies: [Sent.Cookie]) {
      self.cookies = cookies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("cookies", cookies)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      cookies = try object.member("cookies")
    }
  }

  /// The parameters of `credential/didChange`. A session's credentials, or the uid's permanent identities,
  /// changed. To the session's holders that are not restricted.
  package struct CredentialDidChange: SentObject {
    package let session: String
    package let protectionSpace: Sent.ProtectionSpaceName?
    package let user: String?
    package let identity: String?
    package let change: String
    package let count: Int

    package init(
      session: String, protectionSpace: Sent.ProtectionSpaceName?, user: String?, identity: String?,
      change: String, count: Int
    ) {
      self.session = session
      self.protectionSpace = protectionSpace
      self.user = user
      self.identity = identity
      self.change = change
      self.count = count
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
      writer.member("identity", identity)
      writer.member("change", change)
      writer.member("count", count)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      protectionSpace = try object.member("protectionSpace")
      user = try object.member("user")
      identity = try object.member("identity")
      change = try object.member("change")
      count = try object.member("count")
    }
  }

  /// Where and how long a credential is good. Checked on listing as well as on use.
  package struct CredentialLimits: SentObject {
    /// Expires after this time without use.
    package let idleSeconds: Double?
    /// Expires this time after it was given.
    package let lifetimeSeconds: Double?
    /// Expires at this time.
    package let notAfter: String?
    /// Only for these paths and below.
    package let pathPrefixes: [String]?
    /// Only for these HTTP methods.
    package let methods: [String]?
    /// Expires after this number of exchanges.
    package let maximumUses: Int?
    /// A use for another process raises a challenge first.
    package let confirm: Bool?

    package init(
      idleSeconds: Double?, lifetimeSeconds: Double?, notAfter: String?, pathPrefixes: [String]?,
      methods: [String]?, maximumUses: Int?, confirm: Bool?
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

    package init(_ object: ReadObject) throws(ReadFault) {
      idleSeconds = try object.memberIfPresent("idleSeconds")
      lifetimeSeconds = try object.memberIfPresent("lifetimeSeconds")
      notAfter = try object.memberIfPresent("notAfter")
      pathPrefixes = try object.memberIfPresent("pathPrefixes")
      methods = try object.memberIfPresent("methods")
      maximumUses = try object.memberIfPresent("maximumUses")
      confirm = try object.memberIfPresent("confirm")
    }
  }

  /// The credentials of a session.
  package struct CredentialList: SentObject {
    package let credentials: [Encoded<Sent.StoredCredential>]

    package init(credentials: [Encoded<Sent.StoredCredential>]) {
      self.credentials = credentials
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
    }
  }

  /// How much a session has lost by a change of its settings.
  package struct DroppedFromSession: SentObject {
    /// Credentials of the session.
    package let credentials: Int
    /// Decisions about servers.
    package let trust: Int
    /// Client certificates of the session.
    package let identities: Int
    /// Cookies.
    package let cookies: Int

    package init(credentials: Int, trust: Int, identities: Int, cookies: Int) {
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.cookies = cookies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("cookies", cookies)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      cookies = try object.member("cookies")
    }
  }

  /// Over which connection an exchange was made, and what was sent.
  package struct ExchangeDetails: SentObject {
    /// Address and port at the other end of the connection, such as 192.0.2.1:443 or [2001:db8::1]:443; of
    /// the proxy where there is one. Left out when unknown.
    package let remoteAddress: String?
    /// Whether the connection goes to a proxy.
    package let isProxyConnection: Bool
    /// On a connection that was open already.
    package let reused: Bool
    /// Of TLS with the origin; left out without it.
    package let tlsVersion: String?
    /// Of TLS with the origin, by its name in IANA's registry, such as TLS_AES_256_GCM_SHA384.
    package let cipherSuite: String?
    /// The origin's own, without those of its issuers.
    package let certificate: Sent.Certificate?
    /// What was sent: the request, and before it the one for a tunnel, if any. In a notification, what was
    /// sent since the one before.
    package let requests: [Sent.RequestHead]

    package init(
      remoteAddress: String?, isProxyConnection: Bool, reused: Bool, tlsVersion: String?,
      cipherSuite: String?, certificate: Sent.Certificate?, requests: [Sent.RequestHead]
    ) {
      self.remoteAddress = remoteAddress
      self.isProxyConnection = isProxyConnection
      self.reused = reused
      self.tlsVersion = tlsVersion
      self.cipherSuite = cipherSuite
      self.certificate = certificate
      self.requests = requests
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let remoteAddress { writer.member("remoteAddress", remoteAddress) }
      writer.member("isProxyConnection", isProxyConnection)
      writer.member("reused", reused)
      if let tlsVersion { writer.member("tlsVersion", tlsVersion) }
      if let cipherSuite { writer.member("cipherSuite", cipherSuite) }
      if let certificate { writer.member("certificate", certificate) }
      writer.member("requests", requests)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      remoteAddress = try object.memberIfPresent("remoteAddress")
      isProxyConnection = try object.member("isProxyConnection")
      reused = try object.member("reused")
      tlsVersion = try object.memberIfPresent("tlsVersion")
      cipherSuite = try object.memberIfPresent("cipherSuite")
      certificate = try object.memberIfPresent("certificate")
      requests = try object.member("requests")
    }
  }

  /// One HTTP request and its response.
  package struct ExchangeMetrics: SentObject {
    package let url: String
    /// 0: the server did not take the client certificate, and has done nothing of the request.
    package let status: Int
    /// What its Authorization field was, if any.
    package let authenticationMethod: String?
    /// What has authenticated the connection inside of negotiate.
    package let mechanism: String?
    package let `protocol`: String?
    /// On a connection that was open already.
    package let reused: Bool
    package let nameLookupSeconds: Double
    package let connectSeconds: Double
    package let tlsSeconds: Double
    package let firstByteSeconds: Double
    package let totalSeconds: Double
    package let bytesSent: Int
    package let bytesReceived: Int
    /// Only with exchangeDetails in the request.
    package let details: Sent.ExchangeDetails?

    package init(
      url: String, status: Int, authenticationMethod: String?, mechanism: String?, `protocol`: String?,
      reused: Bool, nameLookupSeconds: Double, connectSeconds: Double, tlsSeconds: Double,
      firstByteSeconds: Double, totalSeconds: Double, bytesSent: Int, bytesReceived: Int,
      details: Sent.ExchangeDetails?
    ) {
      self.url = url
      self.status = status
      self.authenticationMethod = authenticationMethod
      self.mechanism = mechanism
      self.protocol = `protocol`
      self.reused = reused
      self.nameLookupSeconds = nameLookupSeconds
      self.connectSeconds = connectSeconds
      self.tlsSeconds = tlsSeconds
      self.firstByteSeconds = firstByteSeconds
      self.totalSeconds = totalSeconds
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
      self.details = details
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("url", url)
      writer.member("status", status)
      writer.member("authenticationMethod", authenticationMethod)
      if let mechanism { writer.member("mechanism", mechanism) }
      writer.member("protocol", `protocol`)
      writer.member("reused", reused)
      writer.seconds("nameLookupSeconds", nameLookupSeconds)
      writer.seconds("connectSeconds", connectSeconds)
      writer.seconds("tlsSeconds", tlsSeconds)
      writer.seconds("firstByteSeconds", firstByteSeconds)
      writer.seconds("totalSeconds", totalSeconds)
      writer.member("bytesSent", bytesSent)
      writer.member("bytesReceived", bytesReceived)
      if let details { writer.member("details", details) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.member("url")
      status = try object.member("status")
      authenticationMethod = try object.member("authenticationMethod")
      mechanism = try object.memberIfPresent("mechanism")
      `protocol` = try object.member("protocol")
      reused = try object.member("reused")
      nameLookupSeconds = try object.member("nameLookupSeconds")
      connectSeconds = try object.member("connectSeconds")
      tlsSeconds = try object.member("tlsSeconds")
      firstByteSeconds = try object.member("firstByteSeconds")
      totalSeconds = try object.member("totalSeconds")
      bytesSent = try object.member("bytesSent")
      bytesReceived = try object.member("bytesReceived")
      details = try object.memberIfPresent("details")
    }
  }

  /// Which client certificate an origin could be presented with.
  package struct ExplainedCertificate: SentObject {
    /// What was decided for the session to present this origin with.
    package let decisions: [Sent.IdentityDecision]
    /// The identities that may go to this origin now, the session's own before the permanent ones. Default
    /// handling takes the first of them that fits what the server asks for, which is not known before.
    package let candidates: [String]

    package init(decisions: [Sent.IdentityDecision], candidates: [String]) {
      self.decisions = decisions
      self.candidates = candidates
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("decisions", decisions)
      writer.member("candidates", candidates)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      decisions = try object.member("decisions")
      candidates = try object.member("candidates")
    }
  }

  /// Which credential a server or a proxy would get; never the secret.
  package struct ExplainedCredential: SentObject {
    package let user: String?
    package let authenticationMethod: String
    /// Left out: any realm.
    package let realm: String??
    package let realmBytes: String?
    package let source: String
    /// Of passedOver: why it does not count.
    package let reason: String?

    package init(
      user: String?, authenticationMethod: String, realm: String??, realmBytes: String?, source: String,
      reason: String?
    ) {
      self.user = user
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.source = source
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("authenticationMethod", authenticationMethod)
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("source", source)
      if let reason { writer.member("reason", reason) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.memberIfPresent("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      source = try object.member("source")
      reason = try object.memberIfPresent("reason")
    }
  }

  /// A key that a server would get; never the secret.
  package struct ExplainedKey: SentObject {
    /// The header field, in lower case.
    package let field: String
    package let source: String

    package init(field: String, source: String) {
      self.field = field
      self.source = source
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("field", field)
      writer.member("source", source)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      field = try object.member("field")
      source = try object.member("source")
    }
  }

  /// How redirects would be treated.
  package struct ExplainedRedirects: SentObject {
    package let policy: String
    package let limit: Int

    package init(policy: String, limit: Int) {
      self.policy = policy
      self.limit = limit
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("policy", policy)
      writer.member("limit", limit)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      policy = try object.member("policy")
      limit = try object.member("limit")
    }
  }

  /// How the certificate of an origin would be evaluated.
  package struct ExplainedTrust: SentObject {
    package let evaluation: String
    /// Those about this origin.
    package let decisions: [Sent.TrustDecision]
    /// The session's pins for this host, by their host patterns.
    package let pins: [String]
    /// The administrator's rules that bind this host, as they are named in the daemon's configuration.
    package let rules: [String]
    /// The user's certificate authority that the last accepted chain of this origin ended in; null when it
    /// was another one, or there was none.
    package let root: Sent.Root?

    package init(
      evaluation: String, decisions: [Sent.TrustDecision], pins: [String], rules: [String], root: Sent.Root?
    ) {
      self.evaluation = evaluation
      self.decisions = decisions
      self.pins = pins
      self.rules = rules
      self.root = root
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("evaluation", evaluation)
      writer.member("decisions", decisions)
      writer.member("pins", pins)
      writer.member("rules", rules)
      writer.member("root", root)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      evaluation = try object.member("evaluation")
      decisions = try object.member("decisions")
      pins = try object.member("pins")
      rules = try object.member("rules")
      root = try object.member("root")
    }
  }

  /// What a fetch of a URL would do.
  package struct Explanation: SentObject {
    package let url: String
    package let origin: String
    /// What would be sent; null: none, the session's own Authorization field, or a URL with a password.
    package let credential: Sent.ExplainedCredential?
    /// Whether it would be sent unasked.
    package let preemptive: Bool
    /// The keys that would be sent in fields of their own (storage.md 9.4.9).
    package let keys: [Sent.ExplainedKey]
    /// The order in force.
    package let methods: [String]
    /// What would set Authorization, unless the caller does.
    package let authorizationHeader: String
    package let trust: Sent.ExplainedTrust
    package let clientCertificate: Sent.ExplainedCertificate
    /// The proxy that leads to the origin, without userinfo; null: none.
    package let proxy: String?
    /// Why: the setting that counts; null when no setting concerns the origin.
    package let proxyChoice: Sent.ProxyChoice?
    /// What the proxy would get: as credential.
    package let proxyCredential: Sent.ExplainedCredential?
    /// Whether it would be sent unasked.
    package let proxyPreemptive: Bool
    package let redirects: Sent.ExplainedRedirects
    package let pendingChallenges: [String]
    /// The challenges of the origin's last refusal in this session that cannot be answered: the first 16 of
    /// them.
    package let unusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let unusableOfferCount: Int?
    /// As unusableOffers, of the proxy.
    package let proxyUnusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let proxyUnusableOfferCount: Int?
    /// A credential that does not count for this request, with its reason: a kept one, or a refused one of a
    /// URL or a netrc. Limits are a reason where no other credential would be used.
    package let passedOver: Sent.ExplainedCredential?
    /// As passedOver, for the proxy.
    package let proxyPassedOver: Sent.ExplainedCredential?
    /// What callers of the session have chosen of the way to this origin, as in a challenge.
    package let callersWays: [String]
    /// As callersWays, of the proxy.
    package let proxyCallersWays: [String]
    /// Only when a `Host` field names another server than the URL, as in a challenge.
    package let hostField: String?
    /// Sources whose credential the origin or the proxy has refused (storage.md 9.7.9).
    package let refusedSources: [Sent.RefusedSource]
    /// The session's additional fields; sensitive values read <secret>.
    package let headers: [HeaderField]

    package init(
      url: String, origin: String, credential: Sent.ExplainedCredential?, preemptive: Bool,
      keys: [Sent.ExplainedKey], methods: [String], authorizationHeader: String, trust: Sent.ExplainedTrust,
      clientCertificate: Sent.ExplainedCertificate, proxy: String?, proxyChoice: Sent.ProxyChoice?,
      proxyCredential: Sent.ExplainedCredential?, proxyPreemptive: Bool, redirects: Sent.ExplainedRedirects,
      pendingChallenges: [String], unusableOffers: [Sent.UnusableOffer], unusableOfferCount: Int?,
      proxyUnusableOffers: [Sent.UnusableOffer], proxyUnusableOfferCount: Int?,
      passedOver: Sent.ExplainedCredential?, proxyPassedOver: Sent.ExplainedCredential?,
      callersWays: [String], proxyCallersWays: [String], hostField: String?,
      refusedSources: [Sent.RefusedSource], headers: [HeaderField]
    ) {
      self.url = url
      self.origin = origin
      self.credential = credential
      self.preemptive = preemptive
      self.keys = keys
      self.methods = methods
      self.authorizationHeader = authorizationHeader
      self.trust = trust
      self.clientCertificate = clientCertificate
      self.proxy = proxy
      self.proxyChoice = proxyChoice
      self.proxyCredential = proxyCredential
      self.proxyPreemptive = proxyPreemptive
      self.redirects = redirects
      self.pendingChallenges = pendingChallenges
      self.unusableOffers = unusableOffers
      self.unusableOfferCount = unusableOfferCount
      self.proxyUnusableOffers = proxyUnusableOffers
      self.proxyUnusableOfferCount = proxyUnusableOfferCount
      self.passedOver = passedOver
      self.proxyPassedOver = proxyPassedOver
      self.callersWays = callersWays
      self.proxyCallersWays = proxyCallersWays
      self.hostField = hostField
      self.refusedSources = refusedSources
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("url", url)
      writer.member("origin", origin)
      writer.member("credential", credential)
      writer.member("preemptive", preemptive)
      if !keys.isEmpty { writer.member("keys", keys) }
      writer.member("methods", methods)
      writer.member("authorizationHeader", authorizationHeader)
      writer.member("trust", trust)
      writer.member("clientCertificate", clientCertificate)
      writer.member("proxy", proxy)
      writer.member("proxyChoice", proxyChoice)
      writer.member("proxyCredential", proxyCredential)
      writer.member("proxyPreemptive", proxyPreemptive)
      writer.member("redirects", redirects)
      writer.member("pendingChallenges", pendingChallenges)
      if !unusableOffers.isEmpty { writer.member("unusableOffers", unusableOffers) }
      if let unusableOfferCount { writer.member("unusableOfferCount", unusableOfferCount) }
      if !proxyUnusableOffers.isEmpty { writer.member("proxyUnusableOffers", proxyUnusableOffers) }
      if let proxyUnusableOfferCount { writer.member("proxyUnusableOfferCount", proxyUnusableOfferCount) }
      if let passedOver { writer.member("passedOver", passedOver) }
      if let proxyPassedOver { writer.member("proxyPassedOver", proxyPassedOver) }
      if !callersWays.isEmpty { writer.member("callersWays", callersWays) }
      if !proxyCallersWays.isEmpty { writer.member("proxyCallersWays", proxyCallersWays) }
      if let hostField { writer.member("hostField", hostField) }
      if !refusedSources.isEmpty { writer.member("refusedSources", refusedSources) }
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.member("url")
      origin = try object.member("origin")
      credential = try object.member("credential")
      preemptive = try object.member("preemptive")
      keys = try object.member("keys")
      methods = try object.member("methods")
      authorizationHeader = try object.member("authorizationHeader")
      trust = try object.member("trust")
      clientCertificate = try object.member("clientCertificate")
      proxy = try object.member("proxy")
      proxyChoice = try object.member("proxyChoice")
      proxyCredential = try object.member("proxyCredential")
      proxyPreemptive = try object.member("proxyPreemptive")
      redirects = try object.member("redirects")
      pendingChallenges = try object.member("pendingChallenges")
      unusableOffers = try object.member("unusableOffers")
      unusableOfferCount = try object.memberIfPresent("unusableOfferCount")
      proxyUnusableOffers = try object.member("proxyUnusableOffers")
      proxyUnusableOfferCount = try object.memberIfPresent("proxyUnusableOfferCount")
      passedOver = try object.memberIfPresent("passedOver")
      proxyPassedOver = try object.memberIfPresent("proxyPassedOver")
      callersWays = try object.member("callersWays")
      proxyCallersWays = try object.member("proxyCallersWays")
      hostField = try object.memberIfPresent("hostField")
      refusedSources = try object.member("refusedSources")
      headers = try object.member("headers")
    }
  }

  /// What an export has.
  package struct ExportReport: SentObject {
    /// How many the file has.
    package let credentials: Int
    /// How many decisions about servers' certificates the file has.
    package let trust: Int
    /// How many client certificates with their keys the file has.
    package let identities: Int

    package init(credentials: Int, trust: Int, identities: Int) {
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
    }
  }

  /// What a task brought.
  package struct FetchResult: SentObject {
    package let task: String
    package let session: String
    /// The final URL, without userinfo.
    package let url: String
    package let status: Int
    package let headers: [HeaderField]
    package let body: Sent.ResponseBody
    /// Those that were followed, in order.
    package let redirects: [Sent.Redirect]
    /// Whether the response is a login page by the session's `forms`, or the refusal of a login, and not what
    /// was asked for (methods.md 16.10).
    package let loginPage: Bool?
    /// Of a 401, a 407 or a login page: its challenges that cannot be answered, the first 16 of them
    /// (challenges.md 6.3).
    package let unusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let unusableOfferCount: Int?
    /// Only with metrics in the request.
    package let metrics: Sent.Metrics?

    package init(
      task: String, session: String, url: String, status: Int, headers: [HeaderField],
      body: Sent.ResponseBody, redirects: [Sent.Redirect], loginPage: Bool?,
      unusableOffers: [Sent.UnusableOffer], unusableOfferCount: Int?, metrics: Sent.Metrics?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.status = status
      self.headers = headers
      self.body = body
      self.redirects = redirects
      self.loginPage = loginPage
      self.unusableOffers = unusableOffers
      self.unusableOfferCount = unusableOfferCount
      self.metrics = metrics
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("status", status)
      writer.member("headers", headers)
      writer.member("body", body)
      if !redirects.isEmpty { writer.member("redirects", redirects) }
      if let loginPage { writer.member("loginPage", loginPage) }
      if !unusableOffers.isEmpty { writer.member("unusableOffers", unusableOffers) }
      if let unusableOfferCount { writer.member("unusableOfferCount", unusableOfferCount) }
      if let metrics { writer.member("metrics", metrics) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      status = try object.member("status")
      headers = try object.member("headers")
      body = try object.member("body")
      redirects = try object.member("redirects")
      loginPage = try object.memberIfPresent("loginPage")
      unusableOffers = try object.member("unusableOffers")
      unusableOfferCount = try object.memberIfPresent("unusableOfferCount")
      metrics = try object.memberIfPresent("metrics")
    }
  }

  /// How the daemon answers initialize.
  package struct Greeting: SentObject {
    package let name: String
    package let version: String
    package let protocolVersion: String
    package let capabilities: Sent.GreetingCapabilities
    /// What earlier daemons of this version of the protocol have not.
    package let features: [String]
    package let pid: Int
    package let uid: Int
    package let limits: [(name: String, value: Int)]

    package init(
      name: String, version: String, protocolVersion: String, capabilities: Sent.GreetingCapabilities,
      features: [String], pid: Int, uid: Int, limits: [(name: String, value: Int)]
    ) {
      self.name = name
      self.version = version
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
      self.features = features
      self.pid = pid
      self.uid = uid
      self.limits = limits
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("version", version)
      writer.member("protocolVersion", protocolVersion)
      writer.member("capabilities", capabilities)
      writer.member("features", features)
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("limits", limits)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      version = try object.member("version")
      protocolVersion = try object.member("protocolVersion")
      capabilities = try object.member("capabilities")
      features = try object.member("features")
      pid = try object.member("pid")
      uid = try object.member("uid")
      limits = try object.pairs("limits")
    }
  }

  /// `GreetingCapabilities` of the contract.
  package struct GreetingCapabilities: SentObject {
    package let descriptors: Bool
    package let framings: [String]

    package init(descriptors: Bool, framings: [String]) {
      self.descriptors = descriptors
      self.framings = framings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptors", descriptors)
      writer.member("framings", framings)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptors = try object.member("descriptors")
      framings = try object.member("framings")
    }
  }

  /// How many times took how long, since the daemon started.
  package struct Histogram: SentObject {
    /// In seconds, ascending.
    package let bounds: [Double]
    /// How many took at most so long, and longer than the bound before; one more than `bounds`: those that
    /// took longer than all.
    package let counts: [Int]
    /// Of all, in seconds.
    package let sum: Double

    package init(bounds: [Double], counts: [Int], sum: Double) {
      self.bounds = bounds
      self.counts = counts
      self.sum = sum
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("bounds", bounds)
      writer.member("counts", counts)
      writer.seconds("sum", sum)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      bounds = try object.member("bounds")
      counts = try object.member("counts")
      sum = try object.member("sum")
    }
  }

  /// What became of the credentials and challenges of the caller's uid.
  package struct History: SentObject {
    /// Newest first (storage.md 7.3.1).
    package let entries: [Sent.HistoryEntry]

    package init(entries: [Sent.HistoryEntry]) {
      self.entries = entries
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("entries", entries)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      entries = try object.member("entries")
    }
  }

  /// What became of a credential, a challenge or a request of a restricted connection; never a secret.
  package struct HistoryEntry: SentObject {
    /// When it happened last.
    package let time: String
    package let outcome: String
    package let session: String
    /// That of a proxy, too; null when a restricted connection named none, and for what happened to the
    /// agent.
    package let origin: String?
    /// Of the protection space, or null.
    package let authenticationMethod: String?
    /// Of the protection space, or null; one of more than 256 bytes is left out.
    package let realm: String?
    package let realmBytes: String?
    /// Of key only: its header field.
    package let field: String?
    /// Of the protection space.
    package let isProxy: Bool
    /// Of the credential, at most 256 bytes; null for a token and for a challenge.
    package let user: String?
    /// Only of a client certificate that was presented or refused; pid is null, since a handshake can serve
    /// several processes.
    package let identity: String?
    /// The process that the request was for.
    package let pid: Int?
    /// The processes that were asked.
    package let asked: [Int]
    /// The process that answered, or that had given the credential to the session; null when there is none,
    /// or it has gone.
    package let answeredBy: Int?
    /// Only for restricted (restricted.md 2.6.5).
    package let reason: String?
    /// Only for restricted.
    package let restriction: String?
    /// The because of the reply to a challenge.
    package let because: String?
    /// Of the last request that it happened to; missing when that had none (messages.md 5.1.12).
    package let traceparent: String?
    /// How often the same happened.
    package let uses: Int

    package init(
      time: String, outcome: String, session: String, origin: String?, authenticationMethod: String?,
      realm: String?, realmBytes: String?, field: String?, isProxy: Bool, user: String?, identity: String?,
      pid: Int?, asked: [Int], answeredBy: Int?, reason: String?, restriction: String?, because: String?,
      traceparent: String?, uses: Int
    ) {
      self.time = time
      self.outcome = outcome
      self.session = session
      self.origin = origin
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.field = field
      self.isProxy = isProxy
      self.user = user
      self.identity = identity
      self.pid = pid
      self.asked = asked
      self.answeredBy = answeredBy
      self.reason = reason
      self.restriction = restriction
      self.because = because
      self.traceparent = traceparent
      self.uses = uses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("time", time)
      writer.member("outcome", outcome)
      writer.member("session", session)
      writer.member("origin", origin)
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      if let field { writer.member("field", field) }
      writer.member("isProxy", isProxy)
      writer.member("user", user)
      if let identity { writer.member("identity", identity) }
      writer.member("pid", pid)
      writer.member("asked", asked)
      writer.member("answeredBy", answeredBy)
      if let reason { writer.member("reason", reason) }
      if let restriction { writer.member("restriction", restriction) }
      if let because { writer.member("because", because) }
      if let traceparent { writer.member("traceparent", traceparent) }
      writer.member("uses", uses)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      time = try object.member("time")
      outcome = try object.member("outcome")
      session = try object.member("session")
      origin = try object.member("origin")
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      field = try object.memberIfPresent("field")
      isProxy = try object.member("isProxy")
      user = try object.member("user")
      identity = try object.memberIfPresent("identity")
      pid = try object.member("pid")
      asked = try object.member("asked")
      answeredBy = try object.member("answeredBy")
      reason = try object.memberIfPresent("reason")
      restriction = try object.memberIfPresent("restriction")
      because = try object.memberIfPresent("because")
      traceparent = try object.memberIfPresent("traceparent")
      uses = try object.member("uses")
    }
  }

  /// A connection that has the session open.
  package struct Holder: SentObject {
    /// 0: a process of another pid namespace.
    package let pid: Int
    package let uid: Int
    /// A hint for display.
    package let executable: String?
    /// What it called itself in initialize.
    package let name: String?
    /// The version it named there.
    package let version: String?
    package let delegate: Sent.HolderDelegate
    /// What restricts it; null: nothing.
    package let restriction: String?

    package init(
      pid: Int, uid: Int, executable: String?, name: String?, version: String?, delegate: Sent.HolderDelegate,
      restriction: String?
    ) {
      self.pid = pid
      self.uid = uid
      self.executable = executable
      self.name = name
      self.version = version
      self.delegate = delegate
      self.restriction = restriction
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("executable", executable)
      writer.member("name", name)
      writer.member("version", version)
      writer.member("delegate", delegate)
      writer.member("restriction", restriction)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      pid = try object.member("pid")
      uid = try object.member("uid")
      executable = try object.member("executable")
      name = try object.member("name")
      version = try object.member("version")
      delegate = try object.member("delegate")
      restriction = try object.member("restriction")
    }
  }

  /// `HolderDelegate` of the contract.
  package struct HolderDelegate: SentObject {
    package let tasks: [String]
    package let session: [String]
    package let trustVerdicts: String?

    package init(tasks: [String], session: [String], trustVerdicts: String?) {
      self.tasks = tasks
      self.session = session
      self.trustVerdicts = trustVerdicts
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("tasks", tasks)
      writer.member("session", session)
      if let trustVerdicts { writer.member("trustVerdicts", trustVerdicts) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      tasks = try object.member("tasks")
      session = try object.member("session")
      trustVerdicts = try object.memberIfPresent("trustVerdicts")
    }
  }

  /// A client certificate of a session or of its uid. Never its key.
  package struct Identity: SentObject {
    package let identity: String
    /// The only one that it is for, when it came in a reply; null: any that asks for it.
    package let origin: String?
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let serialNumber: String
    package let notBefore: String
    package let notAfter: String
    package let keyType: String
    package let keyBits: Int
    package let sha256: String
    package let publicKey: String
    /// The URI of its key; null: in memory.
    package let pkcs11: String?
    /// Certificates that are presented, without the root.
    package let chainLength: Int
    package let persistence: String
    /// Those it was given; empty when none.
    package let limits: Sent.IdentityLimits
    /// Handshakes that it was presented in.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(
      identity: String, origin: String?, subject: String, issuer: String, serialNumber: String,
      notBefore: String, notAfter: String, keyType: String, keyBits: Int, sha256: String, publicKey: String,
      pkcs11: String?, chainLength: Int, persistence: String, limits: Sent.IdentityLimits, uses: Int,
      lastUsed: String?, created: String, secondsLeft: Double?
    ) {
      self.identity = identity
      self.origin = origin
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
      self.pkcs11 = pkcs11
      self.chainLength = chainLength
      self.persistence = persistence
      self.limits = limits
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identity", identity)
      writer.member("origin", origin)
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("pkcs11", pkcs11)
      writer.member("chainLength", chainLength)
      writer.member("persistence", persistence)
      writer.member("limits", limits)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identity = try object.member("identity")
      origin = try object.member("origin")
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      pkcs11 = try object.member("pkcs11")
      chainLength = try object.member("chainLength")
      persistence = try object.member("persistence")
      limits = try object.member("limits")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      secondsLeft = try object.member("secondsLeft")
    }
  }

  /// What was decided for the session to present an origin with, when it asks for these authorities.
  package struct IdentityDecision: SentObject {
    /// When it asks for these.
    package let distinguishedNames: [String]
    /// identity: the one with the id. default: default handling.
    package let choice: String
    package let identity: String?

    package init(distinguishedNames: [String], choice: String, identity: String?) {
      self.distinguishedNames = distinguishedNames
      self.choice = choice
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("distinguishedNames", distinguishedNames)
      writer.member("choice", choice)
      writer.member("identity", identity)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      distinguishedNames = try object.member("distinguishedNames")
      choice = try object.member("choice")
      identity = try object.member("identity")
    }
  }

  /// How long and how often an identity is presented. A use is a handshake: one for every request on its
  /// connection. Checked on listing as well as on use; at its limit it is gone with its key, and its
  /// connections are used no more.
  package struct IdentityLimits: SentObject {
    /// Gone after this long without a handshake.
    package let idleSeconds: Double?
    /// Gone this long after it was given.
    package let lifetimeSeconds: Double?
    /// Gone at this time.
    package let notAfter: String?
    /// Gone after so many handshakes.
    package let maximumUses: Int?

    package init(idleSeconds: Double?, lifetimeSeconds: Double?, notAfter: String?, maximumUses: Int?) {
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

    package init(_ object: ReadObject) throws(ReadFault) {
      idleSeconds = try object.memberIfPresent("idleSeconds")
      lifetimeSeconds = try object.memberIfPresent("lifetimeSeconds")
      notAfter = try object.memberIfPresent("notAfter")
      maximumUses = try object.memberIfPresent("maximumUses")
    }
  }

  /// Client identities.
  package struct IdentityList: SentObject {
    /// The session's own and then the permanent ones, of both the one added last first.
    package let identities: [Sent.Identity]

    package init(identities: [Sent.Identity]) {
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identities = try object.member("identities")
    }
  }

  /// What became of what an export has.
  package struct ImportReport: SentObject {
    package let added: Int
    /// Older ones of the vault.
    package let replaced: Int
    /// Those that have expired, and those of whose users the vault has the same or a newer one.
    package let skipped: Int

    package init(added: Int, replaced: Int, skipped: Int) {
      self.added = added
      self.replaced = replaced
      self.skipped = skipped
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("added", added)
      writer.member("replaced", replaced)
      writer.member("skipped", skipped)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      added = try object.member("added")
      replaced = try object.member("replaced")
      skipped = try object.member("skipped")
    }
  }

  /// What the task cost. bytesSent and bytesReceived are sums over its exchanges, totalSeconds is the task's
  /// from start to finish; protocol, reused and the other times are those of the last exchange.
  package struct Metrics: SentObject {
    package let `protocol`: String?
    package let reused: Bool
    package let nameLookupSeconds: Double
    package let connectSeconds: Double
    package let tlsSeconds: Double
    package let firstByteSeconds: Double
    /// Spent waiting for replies to challenges.
    package let challengeWaitSeconds: Double
    package let totalSeconds: Double
    package let bytesSent: Int
    package let bytesReceived: Int
    package let exchanges: [Sent.ExchangeMetrics]

    package init(
      `protocol`: String?, reused: Bool, nameLookupSeconds: Double, connectSeconds: Double,
      tlsSeconds: Double, firstByteSeconds: Double, challengeWaitSeconds: Double, totalSeconds: Double,
      bytesSent: Int, bytesReceived: Int, exchanges: [Sent.ExchangeMetrics]
    ) {
      self.protocol = `protocol`
      self.reused = reused
      self.nameLookupSeconds = nameLookupSeconds
      self.connectSeconds = connectSeconds
      self.tlsSeconds = tlsSeconds
      self.firstByteSeconds = firstByteSeconds
      self.challengeWaitSeconds = challengeWaitSeconds
      self.totalSeconds = totalSeconds
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
      self.exchanges = exchanges
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("reused", reused)
      writer.seconds("nameLookupSeconds", nameLookupSeconds)
      writer.seconds("connectSeconds", connectSeconds)
      writer.seconds("tlsSeconds", tlsSeconds)
      writer.seconds("firstByteSeconds", firstByteSeconds)
      writer.seconds("challengeWaitSeconds", challengeWaitSeconds)
      writer.seconds("totalSeconds", totalSeconds)
      writer.member("bytesSent", bytesSent)
      writer.member("bytesReceived", bytesReceived)
      writer.member("exchanges", exchanges)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      reused = try object.member("reused")
      nameLookupSeconds = try object.member("nameLookupSeconds")
      connectSeconds = try object.member("connectSeconds")
      tlsSeconds = try object.member("tlsSeconds")
      firstByteSeconds = try object.member("firstByteSeconds")
      challengeWaitSeconds = try object.member("challengeWaitSeconds")
      totalSeconds = try object.member("totalSeconds")
      bytesSent = try object.member("bytesSent")
      bytesReceived = try object.member("bytesReceived")
      exchanges = try object.member("exchanges")
    }
  }

  /// One way to satisfy the server.
  package struct Offer: SentObject {
    package let authenticationMethod: String
    package let realm: String?
    package let realmBytes: String?
    /// Every raw parameter that the server sent, by lowercased name.
    package let parameters: [(name: String, value: String)]

    package init(
      authenticationMethod: String, realm: String?, realmBytes: String?,
      parameters: [(name: String, value: String)]
    ) {
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.parameters = parameters
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("parameters", parameters)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      parameters = try object.pairs("parameters")
    }
  }

  /// `OfferStrength` of the contract.
  package struct OfferStrength: SentObject {
    package let authenticationMethod: String
    /// Null except for Digest.
    package let algorithm: String?

    package init(authenticationMethod: String, algorithm: String?) {
      self.authenticationMethod = authenticationMethod
      self.algorithm = algorithm
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("algorithm", algorithm)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      authenticationMethod = try object.member("authenticationMethod")
      algorithm = try object.member("algorithm")
    }
  }

  /// A session that a connection holds from now on.
  package struct OpenedSession: SentObject {
    package let session: String
    /// False when the session existed.
    package let created: Bool
    /// What of the configuration does not count, for a person: at present unknown words of netrc (messages.md
    /// 14.7).
    package let warnings: [String]

    package init(session: String, created: Bool, warnings: [String]) {
      self.session = session
      self.created = created
      self.warnings = warnings
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("created", created)
      if !warnings.isEmpty { writer.member("warnings", warnings) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      created = try object.member("created")
      warnings = try object.member("warnings")
    }
  }

  /// The user that the session would use, or the one that was just refused. Never a secret.
  package struct ProposedCredential: SentObject {
    /// Null for a token, and for tickets.
    package let user: String?
    /// ambient: the tickets of the daemon's uid.
    package let source: String

    package init(user: String?, source: String) {
      self.user = user
      self.source = source
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("source", source)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      source = try object.member("source")
    }
  }

  /// What one credential opens.
  package struct ProtectionSpace: SentObject {
    package let `protocol`: String
    package let host: String
    package let port: Int
    package let realm: String?
    package let realmBytes: String?
    package let authenticationMethod: String
    package let isProxy: Bool
    package let proxyType: String?
    /// True only over TLS to that hop.
    package let receivesCredentialSecurely: Bool
    /// The raw parameters of the first offer, with their names in lower case; none for a question of a TLS
    /// handshake. When a person must enter a code: verificationUri, userCode and perhaps
    /// verificationUriComplete instead (methods.md 9.10.7).
    package let parameters: [(name: String, value: String)]
    package let distinguishedNames: [String]?
    /// Of clientCertificate only: the keys whose signatures the server takes.
    package let keyTypes: [String]?
    package let serverTrust: Sent.ServerTrust?

    package init(
      `protocol`: String, host: String, port: Int, realm: String?, realmBytes: String?,
      authenticationMethod: String, isProxy: Bool, proxyType: String?, receivesCredentialSecurely: Bool,
      parameters: [(name: String, value: String)], distinguishedNames: [String]?, keyTypes: [String]?,
      serverTrust: Sent.ServerTrust?
    ) {
      self.protocol = `protocol`
      self.host = host
      self.port = port
      self.realm = realm
      self.realmBytes = realmBytes
      self.authenticationMethod = authenticationMethod
      self.isProxy = isProxy
      self.proxyType = proxyType
      self.receivesCredentialSecurely = receivesCredentialSecurely
      self.parameters = parameters
      self.distinguishedNames = distinguishedNames
      self.keyTypes = keyTypes
      self.serverTrust = serverTrust
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("host", host)
      writer.member("port", port)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("isProxy", isProxy)
      writer.member("proxyType", proxyType)
      writer.member("receivesCredentialSecurely", receivesCredentialSecurely)
      writer.member("parameters", parameters)
      writer.member("distinguishedNames", distinguishedNames)
      if let keyTypes { writer.member("keyTypes", keyTypes) }
      writer.member("serverTrust", serverTrust)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      host = try object.member("host")
      port = try object.member("port")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      authenticationMethod = try object.member("authenticationMethod")
      isProxy = try object.member("isProxy")
      proxyType = try object.member("proxyType")
      receivesCredentialSecurely = try object.member("receivesCredentialSecurely")
      parameters = try object.pairs("parameters")
      distinguishedNames = try object.member("distinguishedNames")
      keyTypes = try object.memberIfPresent("keyTypes")
      serverTrust = try object.member("serverTrust")
    }
  }

  /// A protection space as lists show it.
  package struct ProtectionSpaceName: SentObject {
    package let `protocol`: String
    package let host: String
    package let port: Int
    /// Left out: any realm, until a server accepts the credential.
    package let realm: String??
    package let realmBytes: String?
    package let authenticationMethod: String
    /// Of key only: the header field that carries it, in lower case.
    package let field: String?
    package let isProxy: Bool
    /// Of a proxy only.
    package let proxyType: String?

    package init(
      `protocol`: String, host: String, port: Int, realm: String??, realmBytes: String?,
      authenticationMethod: String, field: String?, isProxy: Bool, proxyType: String?
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
      writer.member("port", port)
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      if let field { writer.member("field", field) }
      writer.member("isProxy", isProxy)
      if let proxyType { writer.member("proxyType", proxyType) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      host = try object.member("host")
      port = try object.member("port")
      realm = try object.memberIfPresent("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      authenticationMethod = try object.member("authenticationMethod")
      field = try object.memberIfPresent("field")
      isProxy = try object.member("isProxy")
      proxyType = try object.memberIfPresent("proxyType")
    }
  }

  /// Which setting names the proxy that leads to an origin, or takes it away.
  package struct ProxyChoice: SentObject {
    package let source: String
    /// The member of proxies, or the variable of the daemon's environment.
    package let setting: String
    /// The entry of except, or of no_proxy, for which the origin is reached without the proxy.
    package let exception: String?
    /// False: the variable is no proxy's URL, and a fetch fails.
    package let usable: Bool

    package init(source: String, setting: String, exception: String?, usable: Bool) {
      self.source = source
      self.setting = setting
      self.exception = exception
      self.usable = usable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("setting", setting)
      writer.member("exception", exception)
      writer.member("usable", usable)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      setting = try object.member("setting")
      exception = try object.member("exception")
      usable = try object.member("usable")
    }
  }

  /// The sessions that session/prune has ended.
  package struct PrunedSessions: SentObject {
    package let sessions: [String]

    package init(sessions: [String]) {
      self.sessions = sessions
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("sessions", sessions)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      sessions = try object.member("sessions")
    }
  }

  /// What credential/read says beside the secret.
  package struct ReadCredential: SentObject {
    package let user: String?
    package let kind: String
    /// Bytes of the secret.
    package let size: Int
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(user: String?, kind: String, size: Int, secondsLeft: Double?) {
      self.user = user
      self.kind = kind
      self.size = size
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("kind", kind)
      writer.member("size", size)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      kind = try object.member("kind")
      size = try object.member("size")
      secondsLeft = try object.member("secondsLeft")
    }
  }

  /// URLs without userinfo.
  package struct Redirect: SentObject {
    package let status: Int
    package let from: String
    package let to: String

    package init(status: Int, from: String, to: String) {
      self.status = status
      self.from = from
      self.to = to
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("status", status)
      writer.member("from", from)
      writer.member("to", to)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.member("status")
      from = try object.member("from")
      to = try object.member("to")
    }
  }

  /// One of the administrator's sources whose credential a server has refused.
  package struct RefusedSource: SentObject {
    /// Its name in the administrator's configuration.
    package let source: String
    package let protectionSpace: Sent.ProtectionSpaceName
    /// It is not read before this time, unless credential/retry ends the pause. Left out: it is read when it
    /// is needed.
    package let readAfter: String?

    package init(source: String, protectionSpace: Sent.ProtectionSpaceName, readAfter: String?) {
      self.source = source
      self.protectionSpace = protectionSpace
      self.readAfter = readAfter
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("protectionSpace", protectionSpace)
      if let readAfter { writer.member("readAfter", readAfter) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      protectionSpace = try object.member("protectionSpace")
      readAfter = try object.memberIfPresent("readAfter")
    }
  }

  /// That the daemon has read its configuration.
  package struct Reloaded: SentObject {
    package let reloaded: Bool

    package init(reloaded: Bool) {
      self.reloaded = reloaded
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("reloaded", reloaded)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      reloaded = try object.member("reloaded")
    }
  }

  /// How many there were of what is removed.
  package struct Removal: SentObject {
    package let removed: Int

    package init(removed: Int) {
      self.removed = removed
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("removed", removed)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      removed = try object.member("removed")
    }
  }

  /// The head of a request as it was sent. The values of fields that carry a secret read `<secret>`.
  package struct RequestHead: SentObject {
    /// The request line, such as GET /staff HTTP/1.1.
    package let line: String
    /// Header fields as sent, in order; Host stands for :authority of HTTP/2.
    package let headers: [HeaderField]

    package init(line: String, headers: [HeaderField]) {
      self.line = line
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("line", line)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      line = try object.member("line")
      headers = try object.member("headers")
    }
  }

  /// That the next daemon can serve, and this one stops.
  package struct Restarting: SentObject {
    package let restarting: Bool

    package init(restarting: Bool) {
      self.restarting = restarting
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("restarting", restarting)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      restarting = try object.member("restarting")
    }
  }

  /// What restricted connections of a session may fetch, and what they have made of it.
  package struct Restriction: SentObject {
    package let restriction: String
    package let rules: [Sent.RuleStatus]
    /// The path of the administrator's socket that it is of.
    package let socket: String?
    /// Those that it restricts now.
    package let connections: Int
    package let uses: Int
    package let violations: Int
    package let lastViolation: Sent.RestrictionLastViolation?
    package let secondsLeft: Double?

    package init(
      restriction: String, rules: [Sent.RuleStatus], socket: String?, connections: Int, uses: Int,
      violations: Int, lastViolation: Sent.RestrictionLastViolation?, secondsLeft: Double?
    ) {
      self.restriction = restriction
      self.rules = rules
      self.socket = socket
      self.connections = connections
      self.uses = uses
      self.violations = violations
      self.lastViolation = lastViolation
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("restriction", restriction)
      writer.member("rules", rules)
      writer.member("socket", socket)
      writer.member("connections", connections)
      writer.member("uses", uses)
      writer.member("violations", violations)
      writer.member("lastViolation", lastViolation)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      restriction = try object.member("restriction")
      rules = try object.member("rules")
      socket = try object.member("socket")
      connections = try object.member("connections")
      uses = try object.member("uses")
      violations = try object.member("violations")
      lastViolation = try object.member("lastViolation")
      secondsLeft = try object.member("secondsLeft")
    }
  }

  /// `RestrictionLastViolation` of the contract.
  package struct RestrictionLastViolation: SentObject {
    package let time: String
    package let reason: String
    package let origin: String?

    package init(time: String, reason: String, origin: String?) {
      self.time = time
      self.reason = reason
      self.origin = origin
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("time", time)
      writer.member("reason", reason)
      writer.member("origin", origin)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      time = try object.member("time")
      reason = try object.member("reason")
      origin = try object.member("origin")
    }
  }

  /// How many refused credentials may be sent once more.
  package struct RetriedCredentials: SentObject {
    package let retried: Int

    package init(retried: Int) {
      self.retried = retried
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("retried", retried)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      retried = try object.member("retried")
    }
  }

  /// A certificate authority of the user.
  package struct Root: SentObject {
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let notBefore: String
    package let notAfter: String
    /// Of the certificate; trust/removeRoots takes it.
    package let sha256: String

    package init(subject: String, issuer: String, notBefore: String, notAfter: String, sha256: String) {
      self.subject = subject
      self.issuer = issuer
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.sha256 = sha256
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("sha256", sha256)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      sha256 = try object.member("sha256")
    }
  }

  /// What became of the certificates of a text.
  package struct RootAddition: SentObject {
    /// How many were not there before.
    package let added: Int
    /// Those of the text, in its order.
    package let roots: [Sent.Root]

    package init(added: Int, roots: [Sent.Root]) {
      self.added = added
      self.roots = roots
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("added", added)
      writer.member("roots", roots)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      added = try object.member("added")
      roots = try object.member("roots")
    }
  }

  /// The certificate authorities of the user.
  package struct RootList: SentObject {
    /// In the order in which they were added.
    package let roots: [Sent.Root]

    package init(roots: [Sent.Root]) {
      self.roots = roots
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("roots", roots)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      roots = try object.member("roots")
    }
  }

  /// The certificate authorities of the caller's uid.
  package struct RootsStatus: SentObject {
    /// Their file, which may not exist; null when the daemon has no state directory.
    package let path: String?
    package let count: Int
    /// Why the file is not used, for a person.
    package let reason: String?

    package init(path: String?, count: Int, reason: String?) {
      self.path = path
      self.count = count
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("count", count)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      count = try object.member("count")
      reason = try object.member("reason")
    }
  }

  /// A rule with what it limits (null: nothing), and what connections have made of it.
  package struct RuleStatus: SentObject {
    package let methods: [String]?
    package let origin: String
    package let path: String
    package let headers: [String]
    package let requestBytes: Int?
    package let responseBytes: Int?
    package let perMinute: Double?
    /// Requests that it has allowed.
    package let uses: Int

    package init(
      methods: [String]?, origin: String, path: String, headers: [String], requestBytes: Int?,
      responseBytes: Int?, perMinute: Double?, uses: Int
    ) {
      self.methods = methods
      self.origin = origin
      self.path = path
      self.headers = headers
      self.requestBytes = requestBytes
      self.responseBytes = responseBytes
      self.perMinute = perMinute
      self.uses = uses
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("methods", methods)
      writer.member("origin", origin)
      writer.member("path", path)
      writer.member("headers", headers)
      writer.member("requestBytes", requestBytes)
      writer.member("responseBytes", responseBytes)
      writer.member("perMinute", perMinute)
      writer.member("uses", uses)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      methods = try object.member("methods")
      origin = try object.member("origin")
      path = try object.member("path")
      headers = try object.member("headers")
      requestBytes = try object.member("requestBytes")
      responseBytes = try object.member("responseBytes")
      perMinute = try object.member("perMinute")
      uses = try object.member("uses")
    }
  }

  /// The settings of the daemon in use (administrator.md 15.1).
  package struct ServerConfiguration: SentObject {
    /// Of the file; null when the daemon has no place for one.
    package let path: String?
    /// Whether the file was there when it was read last.
    package let isRead: Bool
    /// Whether --configuration names it; else it is the uid's own.
    package let isGiven: Bool
    package let members: [Sent.ServerSetting]

    package init(path: String?, isRead: Bool, isGiven: Bool, members: [Sent.ServerSetting]) {
      self.path = path
      self.isRead = isRead
      self.isGiven = isGiven
      self.members = members
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("isRead", isRead)
      writer.member("isGiven", isGiven)
      writer.member("members", members)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      isRead = try object.member("isRead")
      isGiven = try object.member("isGiven")
      members = try object.member("members")
    }
  }

  /// A member of the configuration file.
  package struct ServerSetting: SentObject {
    /// As transportSecurity; of the outermost object.
    package let name: String
    /// In use, as the file has it; else the default, null where there is none.
    package let value: OpenValue
    /// Whether the file does not have it.
    package let isDefault: Bool

    package init(name: String, value: OpenValue, isDefault: Bool) {
      self.name = name
      self.value = value
      self.isDefault = isDefault
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("value", value)
      writer.member("isDefault", isDefault)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      value = try object.member("value")
      isDefault = try object.member("isDefault")
    }
  }

  /// A certificate chain and what default evaluation says about it.
  package struct ServerTrust: SentObject {
    /// As presented, leaf first.
    package let certificates: [Sent.Certificate]
    package let verdict: String
    package let reasons: [Sent.TrustReason]

    package init(certificates: [Sent.Certificate], verdict: String, reasons: [Sent.TrustReason]) {
      self.certificates = certificates
      self.verdict = verdict
      self.reasons = reasons
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
      writer.member("verdict", verdict)
      writer.member("reasons", reasons)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      certificates = try object.member("certificates")
      verdict = try object.member("verdict")
      reasons = try object.member("reasons")
    }
  }

  /// A session with its holders, restrictions and configuration.
  package struct SessionDescription: SentObject {
    package let session: String
    package let uid: Int
    package let named: Bool
    package let holders: [Sent.Holder]
    package let tasks: Int
    package let credentials: Int
    package let trust: Int
    package let identities: Int
    package let connections: Int
    package let pendingChallenges: Int
    package let restrictions: [Sent.Restriction]
    /// Complete, with the defaults filled in. Secrets in its headers read <secret>.
    package let configuration: OpenValue

    package init(
      session: String, uid: Int, named: Bool, holders: [Sent.Holder], tasks: Int, credentials: Int,
      trust: Int, identities: Int, connections: Int, pendingChallenges: Int, restrictions: [Sent.Restriction],
      configuration: OpenValue
    ) {
      self.session = session
      self.uid = uid
      self.named = named
      self.holders = holders
      self.tasks = tasks
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.connections = connections
      self.pendingChallenges = pendingChallenges
      self.restrictions = restrictions
      self.configuration = configuration
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("uid", uid)
      writer.member("named", named)
      writer.member("holders", holders)
      writer.member("tasks", tasks)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("connections", connections)
      writer.member("pendingChallenges", pendingChallenges)
      writer.member("restrictions", restrictions)
      writer.member("configuration", configuration)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      uid = try object.member("uid")
      named = try object.member("named")
      holders = try object.member("holders")
      tasks = try object.member("tasks")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      connections = try object.member("connections")
      pendingChallenges = try object.member("pendingChallenges")
      restrictions = try object.member("restrictions")
      configuration = try object.member("configuration")
    }
  }

  /// The parameters of `session/didInvalidate`. The session is gone. To the session's holders.
  package struct SessionDidInvalidate: SentObject {
    package let session: String
    package let reason: String

    package init(session: String, reason: String) {
      self.session = session
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      reason = try object.member("reason")
    }
  }

  /// The sessions of the caller's uid.
  package struct SessionList: SentObject {
    /// Each with the numbers of what it has.
    package let sessions: [Sent.SessionSummary]

    package init(sessions: [Sent.SessionSummary]) {
      self.sessions = sessions
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("sessions", sessions)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      sessions = try object.member("sessions")
    }
  }

  /// The session that a request was about.
  package struct SessionReference: SentObject {
    package let session: String

    package init(session: String) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
    }
  }

  /// A session as status shows it.
  package struct SessionStatus: SentObject {
    package let session: String
    package let uid: Int
    package let named: Bool
    package let holders: [Sent.Holder]
    package let tasks: Int
    package let credentials: [Encoded<Sent.StoredCredential>]
    package let trust: Int
    package let identities: Int
    package let connections: Int
    package let pendingChallenges: Int
    /// As in SessionSummary.
    package let unusedSeconds: Double?
    /// Sources whose credential a server has refused (storage.md 9.7.9).
    package let refusedSources: [Sent.RefusedSource]
    package let restrictions: [Sent.Restriction]

    package init(
      session: String, uid: Int, named: Bool, holders: [Sent.Holder], tasks: Int,
      credentials: [Encoded<Sent.StoredCredential>], trust: Int, identities: Int, connections: Int,
      pendingChallenges: Int, unusedSeconds: Double?, refusedSources: [Sent.RefusedSource],
      restrictions: [Sent.Restriction]
    ) {
      self.session = session
      self.uid = uid
      self.named = named
      self.holders = holders
      self.tasks = tasks
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.connections = connections
      self.pendingChallenges = pendingChallenges
      self.unusedSeconds = unusedSeconds
      self.refusedSources = refusedSources
      self.restrictions = restrictions
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("uid", uid)
      writer.member("named", named)
      writer.member("holders", holders)
      writer.member("tasks", tasks)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("connections", connections)
      writer.member("pendingChallenges", pendingChallenges)
      if let unusedSeconds { writer.member("unusedSeconds", unusedSeconds) }
      if !refusedSources.isEmpty { writer.member("refusedSources", refusedSources) }
      writer.member("restrictions", restrictions)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      uid = try object.member("uid")
      named = try object.member("named")
      holders = try object.member("holders")
      tasks = try object.member("tasks")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      connections = try object.member("connections")
      pendingChallenges = try object.member("pendingChallenges")
      unusedSeconds = try object.memberIfPresent("unusedSeconds")
      refusedSources = try object.member("refusedSources")
      restrictions = try object.member("restrictions")
    }
  }

  /// A session with the numbers of what it has.
  package struct SessionSummary: SentObject {
    package let session: String
    package let uid: Int
    package let named: Bool
    package let holders: Int
    package let tasks: Int
    package let credentials: Int
    package let trust: Int
    package let identities: Int
    package let connections: Int
    package let pendingChallenges: Int
    package let restrictions: Int
    /// Since a caller has named, joined or left it, or one of its tasks has begun or ended; 0 while a task
    /// runs.
    package let unusedSeconds: Double

    package init(
      session: String, uid: Int, named: Bool, holders: Int, tasks: Int, credentials: Int, trust: Int,
      identities: Int, connections: Int, pendingChallenges: Int, restrictions: Int, unusedSeconds: Double
    ) {
      self.session = session
      self.uid = uid
      self.named = named
      self.holders = holders
      self.tasks = tasks
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.connections = connections
      self.pendingChallenges = pendingChallenges
      self.restrictions = restrictions
      self.unusedSeconds = unusedSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("uid", uid)
      writer.member("named", named)
      writer.member("holders", holders)
      writer.member("tasks", tasks)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("connections", connections)
      writer.member("pendingChallenges", pendingChallenges)
      writer.member("restrictions", restrictions)
      writer.member("unusedSeconds", unusedSeconds)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      uid = try object.member("uid")
      named = try object.member("named")
      holders = try object.member("holders")
      tasks = try object.member("tasks")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      connections = try object.member("connections")
      pendingChallenges = try object.member("pendingChallenges")
      restrictions = try object.member("restrictions")
      unusedSeconds = try object.member("unusedSeconds")
    }
  }

  /// A source of credentials that the administrator has configured.
  package struct SourceStatus: SentObject {
    /// Its name in the administrator's configuration.
    package let source: String
    package let kind: String
    /// Of oauth: whether it has a token that is valid.
    package let token: Bool?
    /// Of oauth with the grant deviceCode: whether a person has a code to enter now.
    package let awaitsPerson: Bool?
    package let validUntil: String?
    /// Why it gave nothing the last time (administrator.md 15.3.8).
    package let lastError: String?

    package init(
      source: String, kind: String, token: Bool?, awaitsPerson: Bool?, validUntil: String?, lastError: String?
    ) {
      self.source = source
      self.kind = kind
      self.token = token
      self.awaitsPerson = awaitsPerson
      self.validUntil = validUntil
      self.lastError = lastError
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("kind", kind)
      if let token { writer.member("token", token) }
      if let awaitsPerson { writer.member("awaitsPerson", awaitsPerson) }
      writer.member("validUntil", validUntil)
      writer.member("lastError", lastError)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      kind = try object.member("kind")
      token = try object.memberIfPresent("token")
      awaitsPerson = try object.memberIfPresent("awaitsPerson")
      validUntil = try object.member("validUntil")
      lastError = try object.member("lastError")
    }
  }

  /// What the daemon is doing.
  package struct StatusSnapshot: SentObject {
    package let version: String
    package let pid: Int
    package let uptimeSeconds: Double
    package let socket: String
    /// The daemon's memory.
    package let residentBytes: Int
    /// What is kept for callers: the sum over all uids of what bytesPerUid and reservedBytesPerUid count.
    /// Memory files are not resident, and count.
    package let countedBytes: Int
    /// Whether the agent of the caller's uid is locked; then sessions and history show nothing of it
    /// (storage.md 9.11).
    package let locked: Bool
    /// Whether agents lock before the machine sleeps (storage.md 9.11.14, storage.md 9.11.16).
    package let suspendLock: String
    /// The vault of the caller's uid: its state, what opens it, and how much it keeps (administrator.md
    /// 7.2.12).
    package let vault: Sent.VaultStatus
    /// The certificate authorities of the caller's uid (challenges.md 10.14).
    package let roots: Sent.RootsStatus
    /// The administrator's sources of credentials; empty for other uids than the daemon's own and root
    /// (administrator.md 15.3.9).
    package let sources: [Sent.SourceStatus]
    /// The store of the fleet; null when none is configured.
    package let synchronization: Sent.SynchronizationStatus?
    /// Those of the caller's uid; root sees all.
    package let sessions: [Encoded<Sent.SessionStatus>]
    /// Pending ones that the caller is entitled to: those of sessions that it holds.
    package let challenges: [Encoded<Sent.Challenge>]
    /// How long the oldest pending challenge of `sessions` has waited for a reply; null without one.
    package let oldestChallengeSeconds: Double?
    /// The last 16 entries of credential/history (storage.md 7.3.2).
    package let history: [Sent.HistoryEntry]
    package let counters: [(name: String, value: Int)]
    /// How long tasks took, with the time in which they waited for replies.
    package let taskSeconds: Sent.Histogram
    /// How long challenges waited for the reply that was accepted.
    package let replySeconds: Sent.Histogram
    package let limits: [(name: String, value: Int)]
    /// How much of a limit is in use, by its name.
    package let usage: [(name: String, value: Int)]

    package init(
      version: String, pid: Int, uptimeSeconds: Double, socket: String, residentBytes: Int, countedBytes: Int,
      locked: Bool, suspendLock: String, vault: Sent.VaultStatus, roots: Sent.RootsStatus,
      sources: [Sent.SourceStatus], synchronization: Sent.SynchronizationStatus?,
      sessions: [Encoded<Sent.SessionStatus>], challenges: [Encoded<Sent.Challenge>],
      oldestChallengeSeconds: Double?, history: [Sent.HistoryEntry], counters: [(name: String, value: Int)],
      taskSeconds: Sent.Histogram, replySeconds: Sent.Histogram, limits: [(name: String, value: Int)],
      usage: [(name: String, value: Int)]
    ) {
      self.version = version
      self.pid = pid
      self.uptimeSeconds = uptimeSeconds
      self.socket = socket
      self.residentBytes = residentBytes
      self.countedBytes = countedBytes
      self.locked = locked
      self.suspendLock = suspendLock
      self.vault = vault
      self.roots = roots
      self.sources = sources
      self.synchronization = synchronization
      self.sessions = sessions
      self.challenges = challenges
      self.oldestChallengeSeconds = oldestChallengeSeconds
      self.history = history
      self.counters = counters
      self.taskSeconds = taskSeconds
      self.replySeconds = replySeconds
      self.limits = limits
      self.usage = usage
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("version", version)
      writer.member("pid", pid)
      writer.seconds("uptimeSeconds", uptimeSeconds)
      writer.member("socket", socket)
      writer.member("residentBytes", residentBytes)
      writer.member("countedBytes", countedBytes)
      writer.member("locked", locked)
      writer.member("suspendLock", suspendLock)
      writer.member("vault", vault)
      writer.member("roots", roots)
      writer.member("sources", sources)
      writer.member("synchronization", synchronization)
      writer.member("sessions", sessions)
      writer.member("challenges", challenges)
      writer.seconds("oldestChallengeSeconds", oldestChallengeSeconds)
      writer.member("history", history)
      writer.member("counters", counters)
      writer.member("taskSeconds", taskSeconds)
      writer.member("replySeconds", replySeconds)
      writer.member("limits", limits)
      writer.member("usage", usage)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      version = try object.member("version")
      pid = try object.member("pid")
      uptimeSeconds = try object.member("uptimeSeconds")
      socket = try object.member("socket")
      residentBytes = try object.member("residentBytes")
      countedBytes = try object.member("countedBytes")
      locked = try object.member("locked")
      suspendLock = try object.member("suspendLock")
      vault = try object.member("vault")
      roots = try object.member("roots")
      sources = try object.member("sources")
      synchronization = try object.member("synchronization")
      sessions = try object.member("sessions")
      challenges = try object.member("challenges")
      oldestChallengeSeconds = try object.member("oldestChallengeSeconds")
      history = try object.member("history")
      counters = try object.pairs("counters")
      taskSeconds = try object.member("taskSeconds")
      replySeconds = try object.member("replySeconds")
      limits = try object.pairs("limits")
      usage = try object.pairs("usage")
    }
  }

  /// That the daemon stops.
  package struct Stopping: SentObject {
    package let stopping: Bool

    package init(stopping: Bool) {
      self.stopping = stopping
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("stopping", stopping)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      stopping = try object.member("stopping")
    }
  }

  /// A credential as lists show it: never its secret.
  package struct StoredCredential: SentObject {
    package let protectionSpace: Sent.ProtectionSpaceName
    package let user: String?
    package let kind: String
    package let persistence: String
    /// Whether it is the space's default user.
    package let isDefault: Bool
    package let source: String
    /// For named: the administrator's source.
    package let sourceName: String?
    /// Whether credential/read gives its secret back.
    package let readable: Bool
    /// Whether it was given to go with the first request (storage.md 9.4.6).
    package let preemptive: Bool
    /// Of key only: what stands in front of it in its field.
    package let prefix: String?
    /// Those it was given; empty when none.
    package let limits: Sent.CredentialLimits
    /// Exchanges it was sent with.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(
      protectionSpace: Sent.ProtectionSpaceName, user: String?, kind: String, persistence: String,
      isDefault: Bool, source: String, sourceName: String?, readable: Bool, preemptive: Bool, prefix: String?,
      limits: Sent.CredentialLimits, uses: Int, lastUsed: String?, created: String, secondsLeft: Double?
    ) {
      self.protectionSpace = protectionSpace
      self.user = user
      self.kind = kind
      self.persistence = persistence
      self.isDefault = isDefault
      self.source = source
      self.sourceName = sourceName
      self.readable = readable
      self.preemptive = preemptive
      self.prefix = prefix
      self.limits = limits
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protectionSpace", protectionSpace)
      writer.member("user", user)
      writer.member("kind", kind)
      writer.member("persistence", persistence)
      writer.member("isDefault", isDefault)
      writer.member("source", source)
      if let sourceName { writer.member("sourceName", sourceName) }
      writer.member("readable", readable)
      writer.member("preemptive", preemptive)
      if let prefix { writer.member("prefix", prefix) }
      writer.member("limits", limits)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      protectionSpace = try object.member("protectionSpace")
      user = try object.member("user")
      kind = try object.member("kind")
      persistence = try object.member("persistence")
      isDefault = try object.member("isDefault")
      source = try object.member("source")
      sourceName = try object.memberIfPresent("sourceName")
      readable = try object.member("readable")
      preemptive = try object.member("preemptive")
      prefix = try object.memberIfPresent("prefix")
      limits = try object.member("limits")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      secondsLeft = try object.member("secondsLeft")
    }
  }

  /// That snapshots come from now on.
  package struct Subscribed: SentObject {
    package let subscribed: Bool

    package init(subscribed: Bool) {
      self.subscribed = subscribed
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subscribed", subscribed)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subscribed = try object.member("subscribed")
    }
  }

  /// The store of the fleet.
  package struct SynchronizationStatus: SentObject {
    /// idle: no uid of this host can be synchronized. waiting: it is tried again after lastError.
    package let state: String
    /// The endpoint in use, or the one to be tried next.
    package let endpoint: String
    /// Of the fleet's store, up to which the caller's uid has everything; null before it was read.
    package let revision: Int?
    /// Changes of the uid that the store does not have yet.
    package let pending: Int
    /// Why the store could not be used the last time (administrator.md 15.4.6).
    package let lastError: String?

    package init(state: String, endpoint: String, revision: Int?, pending: Int, lastError: String?) {
      self.state = state
      self.endpoint = endpoint
      self.revision = revision
      self.pending = pending
      self.lastError = lastError
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("state", state)
      writer.member("endpoint", endpoint)
      writer.member("revision", revision)
      writer.member("pending", pending)
      writer.member("lastError", lastError)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      state = try object.member("state")
      endpoint = try object.member("endpoint")
      revision = try object.member("revision")
      pending = try object.member("pending")
      lastError = try object.member("lastError")
    }
  }

  /// A task, with the result or the error of a detached one that has finished.
  package struct TaskDescription: SentObject {
    package let task: String
    package let session: String
    /// Without userinfo.
    package let url: String
    package let method: String
    package let state: String
    package let detached: Bool
    package let bytesReceived: Int
    /// Of a detached task that has finished.
    package let result: Sent.FetchResult?
    /// Of a detached task that has failed.
    package let error: OpenValue?

    package init(
      task: String, session: String, url: String, method: String, state: String, detached: Bool,
      bytesReceived: Int, result: Sent.FetchResult?, error: OpenValue?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.method = method
      self.state = state
      self.detached = detached
      self.bytesReceived = bytesReceived
      self.result = result
      self.error = error
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("method", method)
      writer.member("state", state)
      writer.member("detached", detached)
      writer.member("bytesReceived", bytesReceived)
      if let result { writer.member("result", result) }
      if let error { writer.member("error", error) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      method = try object.member("method")
      state = try object.member("state")
      detached = try object.member("detached")
      bytesReceived = try object.member("bytesReceived")
      result = try object.memberIfPresent("result")
      error = try object.memberIfPresent("error")
    }
  }

  /// The parameters of `task/didReceiveData`. A piece of the body. With output stream.
  package struct TaskDidReceiveData: SentObject {
    package let task: String
    package let session: String
    package let offset: Int
    package let base64: String

    package init(task: String, session: String, offset: Int, base64: String) {
      self.task = task
      self.session = session
      self.offset = offset
      self.base64 = base64
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("offset", offset)
      writer.member("base64", base64)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      offset = try object.member("offset")
      base64 = try object.member("base64")
    }
  }

  /// The parameters of `task/didReceiveHead`. The head of a response that is not the result: of a refusal
  /// that was answered, or of a proxy's refusal or reply to CONNECT. Of task/start; of fetch only with output
  /// stream.
  package struct TaskDidReceiveHead: SentObject {
    package let task: String
    package let session: String
    package let hop: String
    package let url: String
    package let status: Int
    package let `protocol`: String
    package let headers: [HeaderField]
    package let details: Sent.ExchangeDetails?

    package init(
      task: String, session: String, hop: String, url: String, status: Int, `protocol`: String,
      headers: [HeaderField], details: Sent.ExchangeDetails?
    ) {
      self.task = task
      self.session = session
      self.hop = hop
      self.url = url
      self.status = status
      self.protocol = `protocol`
      self.headers = headers
      self.details = details
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("hop", hop)
      writer.member("url", url)
      writer.member("status", status)
      writer.member("protocol", `protocol`)
      writer.member("headers", headers)
      if let details { writer.member("details", details) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      hop = try object.member("hop")
      url = try object.member("url")
      status = try object.member("status")
      `protocol` = try object.member("protocol")
      headers = try object.member("headers")
      details = try object.memberIfPresent("details")
    }
  }

  /// The parameters of `task/didReceiveResponse`. The final response's head. Of task/start; of fetch only
  /// with output stream.
  package struct TaskDidReceiveResponse: SentObject {
    package let task: String
    package let session: String
    package let url: String
    package let status: Int
    package let `protocol`: String
    package let headers: [HeaderField]
    package let loginPage: Bool?
    package let details: Sent.ExchangeDetails?

    package init(
      task: String, session: String, url: String, status: Int, `protocol`: String, headers: [HeaderField],
      loginPage: Bool?, details: Sent.ExchangeDetails?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.status = status
      self.protocol = `protocol`
      self.headers = headers
      self.loginPage = loginPage
      self.details = details
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("status", status)
      writer.member("protocol", `protocol`)
      writer.member("headers", headers)
      if let loginPage { writer.member("loginPage", loginPage) }
      if let details { writer.member("details", details) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      status = try object.member("status")
      `protocol` = try object.member("protocol")
      headers = try object.member("headers")
      loginPage = try object.memberIfPresent("loginPage")
      details = try object.memberIfPresent("details")
    }
  }

  /// The parameters of `task/didRedirect`. A redirect was followed. Of task/start; of fetch only with output
  /// stream.
  package struct TaskDidRedirect: SentObject {
    package let task: String
    package let session: String
    package let status: Int
    package let from: String
    package let to: String
    package let `protocol`: String
    package let headers: [HeaderField]
    package let details: Sent.ExchangeDetails?

    package init(
      task: String, session: String, status: Int, from: String, to: String, `protocol`: String,
      headers: [HeaderField], details: Sent.ExchangeDetails?
    ) {
      self.task = task
      self.session = session
      self.status = status
      self.from = from
      self.to = to
      self.protocol = `protocol`
      self.headers = headers
      self.details = details
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("status", status)
      writer.member("from", from)
      writer.member("to", to)
      writer.member("protocol", `protocol`)
      writer.member("headers", headers)
      if let details { writer.member("details", details) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      status = try object.member("status")
      from = try object.member("from")
      to = try object.member("to")
      `protocol` = try object.member("protocol")
      headers = try object.member("headers")
      details = try object.memberIfPresent("details")
    }
  }

  /// The parameters of `task/didSendBodyData`. Progress of the request body. Of task/start with a body.
  package struct TaskDidSendBodyData: SentObject {
    package let task: String
    package let session: String
    package let bytesSent: Int
    package let totalBytes: Int?

    package init(task: String, session: String, bytesSent: Int, totalBytes: Int?) {
      self.task = task
      self.session = session
      self.bytesSent = bytesSent
      self.totalBytes = totalBytes
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("bytesSent", bytesSent)
      writer.member("totalBytes", totalBytes)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      bytesSent = try object.member("bytesSent")
      totalBytes = try object.member("totalBytes")
    }
  }

  /// How a task has failed.
  package struct TaskFailure: SentObject {
    package let task: String
    package let session: String
    package let error: OpenValue

    package init(task: String, session: String, error: OpenValue) {
      self.task = task
      self.session = session
      self.error = error
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("error", error)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      error = try object.member("error")
    }
  }

  /// The tasks of a session.
  package struct TaskList: SentObject {
    package let tasks: [Sent.TaskSummary]

    package init(tasks: [Sent.TaskSummary]) {
      self.tasks = tasks
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("tasks", tasks)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      tasks = try object.member("tasks")
    }
  }

  /// The task that a request was about.
  package struct TaskReference: SentObject {
    package let task: String

    package init(task: String) {
      self.task = task
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
    }
  }

  /// A task.
  package struct TaskSummary: SentObject {
    package let task: String
    package let session: String
    /// Without userinfo.
    package let url: String
    package let method: String
    package let state: String
    package let detached: Bool
    package let bytesReceived: Int

    package init(
      task: String, session: String, url: String, method: String, state: String, detached: Bool,
      bytesReceived: Int
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.method = method
      self.state = state
      self.detached = detached
      self.bytesReceived = bytesReceived
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("method", method)
      writer.member("state", state)
      writer.member("detached", detached)
      writer.member("bytesReceived", bytesReceived)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      method = try object.member("method")
      state = try object.member("state")
      detached = try object.member("detached")
      bytesReceived = try object.member("bytesReceived")
    }
  }

  /// The parameters of `task/willRedirect`. With the policy ask. Answer with redirect/reply.
  package struct TaskWillRedirect: SentObject {
    package let task: String
    package let session: String
    package let response: Sent.TaskWillRedirectResponse
    package let request: Sent.TaskWillRedirectRequest

    package init(
      task: String, session: String, response: Sent.TaskWillRedirectResponse,
      request: Sent.TaskWillRedirectRequest
    ) {
      self.task = task
      self.session = session
      self.response = response
      self.request = request
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("response", response)
      writer.member("request", request)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      response = try object.member("response")
      request = try object.member("request")
    }
  }

  /// `TaskWillRedirectRequest` of the contract.
  package struct TaskWillRedirectRequest: SentObject {
    package let url: String
    package let method: String
    package let headers: [HeaderField]

    package init(url: String, method: String, headers: [HeaderField]) {
      self.url = url
      self.method = method
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("url", url)
      writer.member("method", method)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.member("url")
      method = try object.member("method")
      headers = try object.member("headers")
    }
  }

  /// `TaskWillRedirectResponse` of the contract.
  package struct TaskWillRedirectResponse: SentObject {
    package let status: Int
    package let headers: [HeaderField]

    package init(status: Int, headers: [HeaderField]) {
      self.status = status
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("status", status)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.member("status")
      headers = try object.member("headers")
    }
  }

  /// A certificate that a token shows without a login.
  package struct TokenCertificate: SentObject {
    /// The URI of its key.
    package let pkcs11: String
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let serialNumber: String
    package let notBefore: String
    package let notAfter: String
    package let keyType: String
    package let keyBits: Int
    package let sha256: String
    package let publicKey: String

    package init(
      pkcs11: String, subject: String, issuer: String, serialNumber: String, notBefore: String,
      notAfter: String, keyType: String, keyBits: Int, sha256: String, publicKey: String
    ) {
      self.pkcs11 = pkcs11
      self.subject = subject
      self.issuer = issuer
      self.serialNumber = serialNumber
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.keyType = keyType
      self.keyBits = keyBits
      self.sha256 = sha256
      self.publicKey = publicKey
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("pkcs11", pkcs11)
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("serialNumber", serialNumber)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("keyType", keyType)
      writer.member("keyBits", keyBits)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      pkcs11 = try object.member("pkcs11")
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      serialNumber = try object.member("serialNumber")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      keyType = try object.member("keyType")
      keyBits = try object.member("keyBits")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
    }
  }

  /// Certificates of tokens.
  package struct TokenList: SentObject {
    /// Those that tokens show without login.
    package let identities: [Sent.TokenCertificate]

    package init(identities: [Sent.TokenCertificate]) {
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identities = try object.member("identities")
    }
  }

  /// A decision about a server's certificates: the session's own, or a permanent one.
  package struct TrustDecision: SentObject {
    /// Its id: in the session a number, of the uid p and a number.
    package let trust: String
    package let origin: String
    /// Of the server's certificate when it was decided: RFC 4514.
    package let subject: String
    package let scope: String
    /// Of the server's certificate when it was decided.
    package let sha256: String
    package let publicKey: String
    /// As the reasons of a verdict.
    package let excused: [Sent.TrustReason]
    package let persistence: String
    /// Handshakes that it has let through.
    package let uses: Int
    package let lastUsed: String?
    package let created: String
    package let limits: Sent.IdentityLimits
    /// Until a limit ends it.
    package let secondsLeft: Double?

    package init(
      trust: String, origin: String, subject: String, scope: String, sha256: String, publicKey: String,
      excused: [Sent.TrustReason], persistence: String, uses: Int, lastUsed: String?, created: String,
      limits: Sent.IdentityLimits, secondsLeft: Double?
    ) {
      self.trust = trust
      self.origin = origin
      self.subject = subject
      self.scope = scope
      self.sha256 = sha256
      self.publicKey = publicKey
      self.excused = excused
      self.persistence = persistence
      self.uses = uses
      self.lastUsed = lastUsed
      self.created = created
      self.limits = limits
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("trust", trust)
      writer.member("origin", origin)
      writer.member("subject", subject)
      writer.member("scope", scope)
      writer.member("sha256", sha256)
      writer.member("publicKey", publicKey)
      writer.member("excused", excused)
      writer.member("persistence", persistence)
      writer.member("uses", uses)
      writer.member("lastUsed", lastUsed)
      writer.member("created", created)
      writer.member("limits", limits)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      trust = try object.member("trust")
      origin = try object.member("origin")
      subject = try object.member("subject")
      scope = try object.member("scope")
      sha256 = try object.member("sha256")
      publicKey = try object.member("publicKey")
      excused = try object.member("excused")
      persistence = try object.member("persistence")
      uses = try object.member("uses")
      lastUsed = try object.member("lastUsed")
      created = try object.member("created")
      limits = try object.member("limits")
      secondsLeft = try object.member("secondsLeft")
    }
  }

  /// Decisions about servers' certificates.
  package struct TrustList: SentObject {
    /// Those of the session, then the permanent ones.
    package let trust: [Sent.TrustDecision]

    package init(trust: [Sent.TrustDecision]) {
      self.trust = trust
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("trust", trust)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      trust = try object.member("trust")
    }
  }

  /// `TrustReason` of the contract.
  package struct TrustReason: SentObject {
    /// More may be added.
    package let reason: String
    /// 0 is the leaf.
    package let depth: Int

    package init(reason: String, depth: Int) {
      self.reason = reason
      self.depth = depth
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("reason", reason)
      writer.member("depth", depth)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      reason = try object.member("reason")
      depth = try object.member("depth")
    }
  }

  /// That no more snapshots come.
  package struct Unsubscribed: SentObject {
    package let subscribed: Bool

    package init(subscribed: Bool) {
      self.subscribed = subscribed
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subscribed", subscribed)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subscribed = try object.member("subscribed")
    }
  }

  /// A challenge of a response that cannot be answered.
  package struct UnusableOffer: SentObject {
    /// As the server spelled it, the first 64 bytes; empty when no name could be read; htmlForm for a login
    /// page.
    package let scheme: String
    package let reason: String

    package init(scheme: String, reason: String) {
      self.scheme = scheme
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("scheme", scheme)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      scheme = try object.member("scheme")
      reason = try object.member("reason")
    }
  }

  /// What a reading of the whole vault has found.
  package struct VaultReport: SentObject {
    /// Those that open, and one beside the decisions.
    package let records: Int
    package let credentials: Int
    /// Decisions about servers' certificates.
    package let trust: Int
    /// Client certificates with their keys.
    package let identities: Int
    /// Records that do not open, or that this version does not understand.
    package let unreadable: Int
    /// SQLite's, about the file, or null.
    package let complaint: String?

    package init(
      records: Int, credentials: Int, trust: Int, identities: Int, unreadable: Int, complaint: String?
    ) {
      self.records = records
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.unreadable = unreadable
      self.complaint = complaint
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("records", records)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("unreadable", unreadable)
      writer.member("complaint", complaint)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      records = try object.member("records")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      unreadable = try object.member("unreadable")
      complaint = try object.member("complaint")
    }
  }

  /// The vault of the caller's uid.
  package struct VaultStatus: SentObject {
    /// Where it is or would be made; null when the daemon has no state directory.
    package let path: String?
    package let state: String
    /// Permanent credentials in memory.
    package let credentials: Int
    /// Permanent decisions about servers' certificates in memory.
    package let trust: Int
    /// Permanent client identities in memory.
    package let identities: Int
    /// Records that did not open when it was read; of an open one.
    package let unreadable: Int
    /// What has opened it; of an open one.
    package let opensWith: String?
    /// All that opens it, what has opened it first; of an open one.
    package let openers: [String]
    /// Why it is unavailable, or how the keyring that has its key is unlocked, for a person.
    package let reason: String?

    package init(
      path: String?, state: String, credentials: Int, trust: Int, identities: Int, unreadable: Int,
      opensWith: String?, openers: [String], reason: String?
    ) {
      self.path = path
      self.state = state
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.unreadable = unreadable
      self.opensWith = opensWith
      self.openers = openers
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("state", state)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("unreadable", unreadable)
      writer.member("opensWith", opensWith)
      writer.member("openers", openers)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      state = try object.member("state")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      unreadable = try object.member("unreadable")
      opensWith = try object.member("opensWith")
      openers = try object.member("openers")
      reason = try object.member("reason")
    }
  }

  /// A task that waits for the answer and its process.
  package struct Waiter: SentObject {
    package let task: String
    /// Null for a detached task whose connection is gone.
    package let pid: Int?
    package let uid: Int
    /// A hint for display, never a right.
    package let executable: String?

    package init(task: String, pid: Int?, uid: Int, executable: String?) {
      self.task = task
      self.pid = pid
      self.uid = uid
      self.executable = executable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("executable", executable)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      pid = try object.member("pid")
      uid = try object.member("uid")
      executable = try object.member("executable")
    }
  }
}
