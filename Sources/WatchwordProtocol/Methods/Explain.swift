package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `explain`: how a URL would be fetched in this session; nothing is sent.
package enum Explain {
  package struct Reply {
    package let url: String
    package let origin: Origin
    package let authorization: AuthenticationStateMachine.Expectation
    /// The proxy that leads to the origin and why; nil: no setting concerns the origin.
    package let proxy: ProxyChoice?
    package let proxyAuthorization: AuthenticationStateMachine.Expectation
    package let methods: [String]
    package let headers: [HeaderField]
    package let redirects: RedirectPolicy
    /// Decisions about the origin.
    package let trust: [TrustDescription]
    /// Decisions about the identity to present to this origin.
    package let identityDecisions: [IdentityStore.Decision]
    /// The session's identities that may be presented to it, the most recently added first.
    package let identities: [String]
    /// Host patterns of the session's pins for this host.
    package let pins: [String]
    /// The administrator's rules that apply to this host.
    package let rules: [String]
    package let pendingChallenges: [String]

    package init(
      url: String, origin: Origin, authorization: AuthenticationStateMachine.Expectation, proxy: ProxyChoice?,
      proxyAuthorization: AuthenticationStateMachine.Expectation, methods: [String], headers: [HeaderField],
      redirects: RedirectPolicy, trust: [TrustDescription],
      identityDecisions: [IdentityStore.Decision], identities: [String], pins: [String], rules: [String],
      pendingChallenges: [String]
    ) {
      self.url = url
      self.origin = origin
      self.authorization = authorization
      self.proxy = proxy
      self.proxyAuthorization = proxyAuthorization
      self.methods = methods
      self.headers = headers
      self.redirects = redirects
      self.trust = trust
      self.identityDecisions = identityDecisions
      self.identities = identities
      self.pins = pins
      self.rules = rules
      self.pendingChallenges = pendingChallenges
    }

    private var isUnasked: Bool { authorization.isUnasked }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("url", url)
      writer.member("origin", origin.description)
      writer.key("credential")
      authorization.writeCredential(to: &writer)
      writer.member("preemptive", isUnasked)
      writer.key("methods")
      writer.strings(methods)
      writer.member("authorizationHeader", isUnasked || authorization == .callersField ? "session" : "none")
      writer.key("trust")
      writer.beginObject()
      writer.member("evaluation", "default")
      writer.key("decisions")
      writer.beginArray()
      for decision in trust { decision.write(to: &writer) }
      writer.endArray()
      writer.key("pins")
      writer.strings(pins)
      writer.key("rules")
      writer.strings(rules)
      writer.endObject()
      writer.key("clientCertificate")
      writer.beginObject()
      writer.key("decisions")
      writer.beginArray()
      for decision in identityDecisions { decision.write(to: &writer) }
      writer.endArray()
      writer.key("candidates")
      writer.strings(identities)
      writer.endObject()
      writer.member("proxy", proxy?.proxy?.text)
      writer.key("proxyChoice")
      if let proxy { proxy.write(to: &writer) } else { writer.null() }
      writer.key("proxyCredential")
      proxyAuthorization.writeCredential(to: &writer)
      writer.member("proxyPreemptive", proxyAuthorization.isUnasked)
      writer.key("redirects")
      writer.beginObject()
      writer.member("policy", redirects.mode.rawValue)
      writer.member("limit", redirects.limit)
      writer.endObject()
      writer.key("pendingChallenges")
      writer.strings(pendingChallenges)
      writer.key("headers")
      writer.headers(SensitiveFields.hidden(in: headers))
      writer.endObject()
    }
  }
}

extension AuthenticationStateMachine.Expectation {
  fileprivate var isUnasked: Bool {
    if case .unasked = self { true } else { false }
  }

  /// The credential that would be sent preemptively, or tried first on a challenge.
  fileprivate func writeCredential(to writer: inout JSONWriter) {
    switch self {
    case .unasked(let key, let source), .whenAsked(let key, let source):
      writer.beginObject()
      writer.member("user", key.user)
      writer.member("authenticationMethod", key.space.authenticationMethod.rawValue)
      if !key.space.isOfAnyRealm { writer.realm(key.space.realm) }
      writer.member("source", source.rawValue)
      writer.endObject()
    case .ambient:
      writer.beginObject()
      writer.member("user", nil as String?)
      writer.member("authenticationMethod", AuthenticationMethod.negotiate.rawValue)
      writer.member("source", ProposedCredential.Source.ambient.rawValue)
      writer.endObject()
    case .netrc(let user):
      writer.beginObject()
      writer.member("user", user)
      // Basic and Digest alike.
      writer.member("authenticationMethod", "default")
      writer.member("source", ProposedCredential.Source.netrc.rawValue)
      writer.endObject()
    case .callersField, .nothing: writer.null()
    }
  }
}

extension ProxyChoice {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("source", source.rawValue)
    writer.member("setting", entry.name)
    writer.member("exception", exception)
    writer.member("usable", !isUnusable)
    writer.endObject()
  }
}

extension IdentityStore.Decision {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("distinguishedNames")
    writer.strings(request.issuers.map(\.text))
    switch choice {
    case .identity(let identifier):
      writer.member("choice", "identity")
      writer.member("identity", identifier)
    case .none:
      writer.member("choice", "none")
      writer.member("identity", nil as String?)
    case .default:
      writer.member("choice", "default")
      writer.member("identity", nil as String?)
    }
    writer.endObject()
  }
}
