/// A server's certificates as presented, and what default evaluation says of them: URLSession's `serverTrust`.
package struct ServerTrust: Sendable, Equatable {
  /// The server's own first; the others in the order in which they came.
  package let certificates: [Certificate]
  /// Of all that was presented; two chains with the same one are the same.
  package let chain: Fingerprint
  /// Empty when the chain is fine.
  package let faults: [TrustFault]

  package init(certificates: [Certificate], chain: Fingerprint, faults: [TrustFault]) {
    self.certificates = certificates
    self.chain = chain
    self.faults = faults
  }

  package var isTrusted: Bool { faults.isEmpty }

  package static func == (left: ServerTrust, right: ServerTrust) -> Bool {
    left.chain == right.chain && left.faults == right.faults
  }
}
