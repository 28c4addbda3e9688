package import WatchwordVocabulary

/// The configuration of a session, with what its texts name.
package struct SessionSettings: Sendable {
  package let configuration: SessionConfiguration
  /// The only origins that are fetched; nil for any.
  package let allowedOrigins: Set<Origin>?
  /// Where the tickets of the daemon's account may be used without a reply.
  package var ambientOrigins: Set<Origin>
  /// Those of the configuration; nil when it does not list any.
  package let proxies: ProxyRules?
  /// Which pages are login forms.
  package let forms: [FormRule]

  package init(
    _ configuration: SessionConfiguration, allowedOrigins: Set<Origin>? = nil,
    ambientOrigins: Set<Origin> = [], proxies: ProxyRules? = nil, forms: [FormRule] = []
  ) {
    self.configuration = configuration
    self.allowedOrigins = allowedOrigins
    self.ambientOrigins = ambientOrigins
    self.proxies = proxies
    self.forms = forms
  }
}

/// What a session gets from outside: randomness, the transport's parser, and the connected processes.
package struct SessionSurroundings {
  /// Makes an id for a question: unique for the life of the daemon and not guessable.
  package let challengeIdentifier: @Sendable () -> String
  package let clientNonce: @Sendable () -> String
  /// Resolves a `Location` against the URL that sent it.
  package let resolve: (String, RequestURL) -> RedirectTarget
  /// Whether a host is an address, and one that `addresses.refusePrivate` lets pass.
  package let isPublicAddress: (String) -> Bool
  /// Those of the daemon's environment; nil when it names none.
  package let proxies: ProxyRules?
  /// Nil when the connection is closed.
  package let process: (PeerIdentifier) -> ProcessIdentifier?
  /// Methods whose library is not installed.
  package let unavailableMethods: Set<AuthenticationMethod>
  /// Whether hosts of a fleet share credentials.
  package let isSynchronized: Bool
  /// For how many tasks or challenges the consequences of one event are carried out with it; `goOn` does the
  /// others.
  let servedTogether: Int

  package init(
    challengeIdentifier: @escaping @Sendable () -> String, clientNonce: @escaping @Sendable () -> String,
    resolve: @escaping (String, RequestURL) -> RedirectTarget,
    isPublicAddress: @escaping (String) -> Bool = { _ in false }, proxies: ProxyRules? = nil,
    process: @escaping (PeerIdentifier) -> ProcessIdentifier?,
    unavailableMethods: Set<AuthenticationMethod> = [],
    isSynchronized: Bool = false, servedTogether: Int = 64
  ) {
    self.challengeIdentifier = challengeIdentifier
    self.clientNonce = clientNonce
    self.resolve = resolve
    self.isPublicAddress = isPublicAddress
    self.proxies = proxies
    self.process = process
    self.unavailableMethods = unavailableMethods
    self.isSynchronized = isSynchronized
    self.servedTogether = servedTogether
  }
}

/// The inputs from outside that the session's rules need for one event.
package struct SessionMoment: Sendable {
  /// Seconds of a monotonic clock.
  package let now: Double
  /// Seconds since 1970.
  package let wallClock: Double
  /// The newest task of the daemon.
  package let lastTask: TaskIdentifier
  /// The administrator's rules, as they are now.
  package let policy: TrustPolicy

  package init(now: Double, wallClock: Double, lastTask: TaskIdentifier, policy: TrustPolicy) {
    self.now = now
    self.wallClock = wallClock
    self.lastTask = lastTask
    self.policy = policy
  }
}
