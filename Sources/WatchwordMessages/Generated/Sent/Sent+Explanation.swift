package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
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
}
