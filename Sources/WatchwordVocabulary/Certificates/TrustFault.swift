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
