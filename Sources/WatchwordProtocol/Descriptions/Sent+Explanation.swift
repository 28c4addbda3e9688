package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// `explain`: how a URL would be fetched in this session; nothing is sent.
extension Sent.Explanation {
  /// - Parameters:
  ///   - proxy: the proxy that leads to the origin and why; nil: no setting concerns the origin.
  ///   - trust: decisions about the origin.
  ///   - root: the user's root that the last accepted chain of the origin ended in.
  ///   - identityDecisions: about the identity to present to this origin.
  ///   - identities: the session's that may be presented to it, the most recently added first.
  ///   - pins: host patterns of the session's pins for this host.
  ///   - rules: the administrator's that apply to this host.
  ///   - unusableOffers: challenges of the origin's last refusal that cannot be answered.
  package init(
    url: String, origin: Origin, prospect: SessionState.Prospect, proxy: ProxyChoice?,
    proxyProspect: SessionState.Prospect, methods: [String], headers: [HeaderField],
    redirects: RedirectPolicy, trust: [Sent.TrustDecision], root: Certificate?,
    identityDecisions: [IdentityStore.Decision], identities: [String], pins: [String], rules: [String],
    unusableOffers: UnusableOffers = UnusableOffers(),
    proxyUnusableOffers: UnusableOffers = UnusableOffers(), refusedSources: [Sent.RefusedSource] = [],
    pendingChallenges: [String]
  ) {
    let (authorization, proxyAuthorization) = (prospect.expectation, proxyProspect.expectation)
    self.init(
      url: url, origin: origin.description, credential: authorization.sentCredential,
      preemptive: authorization.isUnasked,
      keys: prospect.keys.map { Sent.ExplainedKey(field: $0.field, source: $0.source.rawValue) },
      methods: methods,
      authorizationHeader: authorization.isUnasked || authorization == .callersField ? "session" : "none",
      trust: Sent.ExplainedTrust(
        evaluation: "default", decisions: trust, pins: pins, rules: rules, root: root?.sentAsRoot),
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
      refusedSources: refusedSources, headers: SensitiveFields.hidden(in: headers))
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
    _ key: CredentialKey, from source: ProposedCredential.Source, reason: PassedOver.Reason? = nil
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
    Sent.ProxyChoice(source: source.rawValue, setting: entry.name, exception: exception, usable: !isUnusable)
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
