internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What the transport asks in the middle of a handshake.
extension Session: HandshakeJudge {
  func requirements(for origin: Origin) -> TrustPolicy.Requirements {
    policy.requirements(for: origin.host)
  }

  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition
  ) -> TrustStore.Ruling {
    guard let account else {
      var none = PermanentTrust()
      return ruling(on: presented, with: faults, from: origin, in: partition, permanent: &none)
    }
    return ruling(on: presented, with: faults, from: origin, in: partition, permanent: &account.trust)
  }

  private func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition, permanent: inout PermanentTrust
  ) -> TrustStore.Ruling {
    ask {
      $0.ruling(on: presented, with: faults, from: origin, in: partition, permanent: &permanent, at: $1)
    }
  }

  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling {
    settle()
    let keys = keys
    let ruling = ask {
      $0.ruling(
        on: request, from: origin, in: partition, isLent: keys.isLent, isAsked: isAsked, at: $1)
    }
    switch ruling {
    case .present(let identity): return key(of: identity).map { .present($0) } ?? .presentNone
    case .presentNone: return .presentNone
    case .ask: return .ask
    }
  }

  func mayStillPresent(_ identity: String) -> Bool {
    settle()
    return keys.isLent(identity) || ask { $0.mayStillPresent(identity, at: $1) }
  }

  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition
  ) {
    ask { $0.refused(identity, for: request, from: origin, in: partition, at: $1) }
  }
}
