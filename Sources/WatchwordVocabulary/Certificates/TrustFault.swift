/// One fault of a certificate chain and the depth at which it was found (0 is the server's own).
package struct TrustFault: Sendable, Hashable {
  package let reason: TrustReason
  package let depth: Int

  package init(reason: TrustReason, depth: Int) {
    self.reason = reason
    self.depth = depth
  }
}
