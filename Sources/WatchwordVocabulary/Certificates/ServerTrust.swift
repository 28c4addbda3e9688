/// A server's certificates as presented, and the faults that default evaluation found: URLSession's
/// `serverTrust`.
package struct ServerTrust: Sendable, Equatable {
  /// The server's own first; the others in the order in which the server sent them.
  package let certificates: [Certificate]
  package let presented: PresentedChain
  /// Empty when the chain is trusted.
  package let faults: [TrustFault]

  package init(certificates: [Certificate], presented: PresentedChain, faults: [TrustFault]) {
    self.certificates = certificates
    self.presented = presented
    self.faults = faults
  }

  package var isTrusted: Bool { faults.isEmpty }

  /// The same certificates with the same faults are the same question.
  package static func == (left: ServerTrust, right: ServerTrust) -> Bool {
    left.presented.chain == right.presented.chain && left.faults == right.faults
  }
}

/// The fingerprints of a presented chain, on which a decision about it is based.
package struct PresentedChain: Sendable, Equatable {
  /// Of all certificates, in the order in which the server sent them.
  package let chain: Fingerprint
  /// Of the server's own certificate, and of its key.
  package let certificate: Fingerprint
  package let publicKey: Fingerprint
  /// The keys of the chain that default evaluation built, anchor included.
  package let verifiedPublicKeys: [Fingerprint]

  package init(
    chain: Fingerprint, certificate: Fingerprint, publicKey: Fingerprint,
    verifiedPublicKeys: [Fingerprint] = []
  ) {
    self.chain = chain
    self.certificate = certificate
    self.publicKey = publicKey
    self.verifiedPublicKeys = verifiedPublicKeys
  }
}

extension TrustReason {
  /// Whether a reply may accept a chain that has this fault (challenges.md 10.12).
  package var isExcusable: Bool {
    switch self {
    case .tooComplex: false
    case .expired, .notYetValid, .hostMismatch, .unknownIssuer, .selfSigned, .revoked, .revocationUnknown,
      .weakSignature, .weakKey, .invalidPurpose, .pathLength, .nameConstraint, .malformed, .pinMismatch,
      .policy, .other:
      true
    }
  }
}

/// One fault of a certificate chain and the depth at which it was found (0 is the server's own).
package struct TrustFault: Sendable, Hashable {
  package let reason: TrustReason
  package let depth: Int

  package init(reason: TrustReason, depth: Int) {
    self.reason = reason
    self.depth = depth
  }
}

extension Set<TrustFault> {
  /// By depth, then by name.
  package var inOrder: [TrustFault] {
    sorted { ($0.depth, $0.reason.rawValue) < ($1.depth, $1.reason.rawValue) }
  }
}
