internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Judges the endpoints that the administrator names: default evaluation and the administrator's rules decide about a
/// certificate. Its engine connects to nothing else, so that the identity is presented to these endpoints only.
@ReactorActor
protocol EndpointJudge: HandshakeJudge {
  /// The administrator's rules for TLS.
  var policy: TrustPolicy { get }
  /// The client certificate that is configured.
  var identity: ClientIdentity? { get }
}

extension EndpointJudge {
  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    policy.requirements(for: origin.host)
  }

  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    at hop: Hop, in partition: ConnectionPartition
  ) -> TrustStore.Ruling {
    let rules = ChainRules(pins: PinSet(), policy: policy)
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
