internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Judges the endpoints that the administrator names: default evaluation and the administrator's rules decide
/// about a certificate. Its engine connects to nothing else, so that the identity is presented to these
/// endpoints only.
@ReactorActor
protocol EndpointJudge: HandshakeJudge {
  var endpoints: any EndpointEnvironment { get }
  /// The client certificate that is configured.
  var identity: ClientIdentity? { get }
}

/// What exchanges with these endpoints need of the daemon around them.
@ReactorActor
protocol EndpointEnvironment: AnyObject {
  /// The administrator's rules for TLS.
  var policy: TrustPolicy { get }
  func makeEngine(_ configuration: EngineConfiguration) throws(EngineFault) -> any ExchangeEngine
}

extension EndpointJudge {
  /// An engine for its endpoints, which has no cookies.
  ///
  /// - Parameter roots: PEM certificates that are trusted beside the system's.
  /// - Returns: nil when it cannot be made: the roots are no certificates.
  func makeEngine(trusting roots: String?) -> (any ExchangeEngine)? {
    var configuration = EngineConfiguration()
    configuration.cookiePolicy = .never
    configuration.extraRoots = roots
    let engine = try? endpoints.makeEngine(configuration)
    engine?.judge = self
    return engine
  }

  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    endpoints.policy.requirements(for: origin.host)
  }

  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition
  ) -> TrustStore.Ruling {
    let rules = ChainRules(pins: PinSet(), policy: endpoints.policy)
    let found = rules.findings(on: presented, with: faults, from: origin.host, at: hop).faults
    return found.isEmpty ? .accept : .ask(found)
  }

  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling {
    identity.map { .present($0) } ?? .presentNone
  }

  func mayStillPresent(_ identity: String) -> Bool { self.identity?.identity.identifier == identity }

  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition
  ) {}
}
