package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// `explain`: how a URL would be fetched in this session; nothing is sent.
package enum Explain {
  package struct Reply: Describing {
    package let url: String
    package let origin: Origin
    package let prospect: SessionState.Prospect
    /// The proxy that leads to the origin and why; nil: no setting concerns the origin.
    package let proxy: ProxyChoice?
    package let proxyProspect: SessionState.Prospect
    package let methods: [String]
    package let headers: [HeaderField]
    package let redirects: RedirectPolicy
    /// Decisions about the origin.
    package let trust: [TrustDescription]
    /// The user's root that the last accepted chain of the origin ended in.
    package let root: Certificate?
    /// Decisions about the identity to present to this origin.
    package let identityDecisions: [IdentityStore.Decision]
    /// The session's identities that may be presented to it, the most recently added first.
    package let identities: [String]
    /// Host patterns of the session's pins for this host.
    package let pins: [String]
    /// The administrator's rules that apply to this host.
    package let rules: [String]
    /// Challenges of the last refusals of the origin and of the proxy that cannot be answered.
    package let unusableOffers: UnusableOffers
    package let proxyUnusableOffers: UnusableOffers
    package let refusedSources: [RefusedSourceDescription]
    package let pendingChallenges: [String]

    package init(
      url: String, origin: Origin, prospect: SessionState.Prospect, proxy: ProxyChoice?,
      proxyProspect: SessionState.Prospect, methods: [String], headers: [HeaderField],
      redirects: RedirectPolicy, trust: [TrustDescription], root: Certificate?,
      identityDecisions: [IdentityStore.Decision], identities: [String], pins: [String], rules: [String],
      unusableOffers: UnusableOffers = UnusableOffers(),
      proxyUnusableOffers: UnusableOffers = UnusableOffers(),
      refusedSources: [RefusedSourceDescription] = [], pendingChallenges: [String]
    ) {
      self.url = url
      self.origin = origin
      self.prospect = prospect
      self.proxy = proxy
      self.proxyProspect = proxyProspect
      self.methods = methods
      self.headers = headers
      self.redirects = redirects
      self.trust = trust
      self.root = root
      self.identityDecisions = identityDecisions
      self.identities = identities
      self.pins = pins
      self.rules = rules
      self.unusableOffers = unusableOffers
      self.proxyUnusableOffers = proxyUnusableOffers
      self.refusedSources = refusedSources
      self.pendingChallenges = pendingChallenges
    }

    package var sent: Sent.Explanation {
      let (authorization, proxyAuthorization) = (prospect.expectation, proxyProspect.expectation)
      return Sent.Explanation(
        url: url, origin: origin.description, credential: authorization.sentCredential,
        preemptive: authorization.isUnasked,
        keys: prospect.keys.map { Sent.ExplainedKey(field: $0.field, source: $0.source.rawValue) },
        methods: methods,
        authorizationHeader: authorization.isUnasked || authorization == .callersField ? "session" : "none",
        trust: Sent.ExplainedTrust(
          evaluation: "default", decisions: trust.map(\.sent), pins: pins, rules: rules,
          root: root?.sentAsRoot),
        clientCertificate: Sent.ExplainedCertificate(
          decisions: identityDecisions.map(\.sent), candidates: identities),
        proxy: proxy?.proxy?.text, proxyChoice: proxy?.sent,
        proxyCredential: proxyAuthorization.sentCredential, proxyPreemptive: proxyAuthorization.isUnasked,
        redirects: Sent.ExplainedRedirects(policy: redirects.mode.rawValue, limit: redirects.limit),
        pendingChallenges: pendingChallenges, unusableOffers: unusableOffers.sent,
        unusableOfferCount: unusableOffers.sentCount, proxyUnusableOffers: proxyUnusableOffers.sent,
        proxyUnusableOfferCount: proxyUnusableOffers.sentCount,
        passedOver: prospect.passedOver?.sent, proxyPassedOver: proxyProspect.passedOver?.sent,
        callersWays: prospect.callersWays.map(\.rawValue),
        proxyCallersWays: proxyProspect.callersWays.map(\.rawValue), hostField: prospect.namedHost?.text,
        refusedSources: refusedSources.map(\.sent),
        headers: SensitiveFields.hidden(in: headers)
      )
    }
  }
}

extension AuthenticationStateMachine.Expectation {
  fileprivate var isUnasked: Bool {
    if case .unasked = self { true } else { false }
  }

  /// The credential that would be sent preemptively, or tried first on a challenge.
  fileprivate var sentCredential: Sent.ExplainedCredential? {
    switch self {
    case .unasked(let key, let source), .whenAsked(let key, let source):
      return Sent.ExplainedCredential(key, from: source)
    case .ambient:
      return Sent.ExplainedCredential(
        user: nil, authenticationMethod: AuthenticationMethod.negotiate.rawValue, realm: nil, realmBytes: nil,
        source: ProposedCredential.Source.ambient.rawValue, reason: nil)
    case .netrc(let user):
      // Basic and Digest alike.
      return Sent.ExplainedCredential(
        user: user, authenticationMethod: "default", realm: nil, realmBytes: nil,
        source: ProposedCredential.Source.netrc.rawValue, reason: nil)
    case .callersField, .nothing: return nil
    }
  }
}

extension Sent.ExplainedCredential {
  fileprivate init(
    _ key: CredentialCache.Key, from source: ProposedCredential.Source, reason: PassedOver.Reason? = nil
  ) {
    let name = key.space.sentName
    self.init(
      user: key.user, authenticationMethod: name.authenticationMethod, realm: name.realm,
      realmBytes: name.realmBytes, source: source.rawValue, reason: reason?.rawValue)
  }
}

extension PassedOver {
  fileprivate var sent: Sent.ExplainedCredential { .init(key, from: source, reason: reason) }
}

extension ProxyChoice {
  fileprivate var sent: Sent.ProxyChoice {
    Sent.ProxyChoice(
      source: source.rawValue, setting: entry.name, exception: exception, usable: !isUnusable)
  }
}

extension IdentityStore.Decision {
  fileprivate var sent: Sent.IdentityDecision {
    let (choice, identity): (String, String?) =
      switch self.choice {
      case .identity(let identifier): ("identity", identifier)
      case .none: ("none", nil)
      case .default: ("default", nil)
      }
    return Sent.IdentityDecision(
      distinguishedNames: request.issuers.map(\.text), choice: choice, identity: identity)
  }
}
