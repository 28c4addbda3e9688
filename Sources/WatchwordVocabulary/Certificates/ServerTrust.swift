/// A server's certificates as presented, and the faults that default evaluation found: URLSession's `serverTrust`.
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
