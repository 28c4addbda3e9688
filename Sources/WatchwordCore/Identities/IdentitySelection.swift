/// Default handling of a wish for a client certificate: which stored identity fits, if any (challenges §5).
package enum IdentitySelection {
  /// The first identity that the server can be expected to take; none is presented that it has not asked for.
  ///
  /// - Parameters:
  ///   - identities: those that may go to this server, the one that was added last first.
  ///   - wallClock: seconds since 1970.
  package static func choose(
    among identities: some Sequence<Identity>, for request: CertificateRequest, wallClock: Double
  ) -> Identity? {
    identities.first { $0.fault(at: wallClock) == nil && $0.fits(request) }
  }
}

extension Identity {
  /// Whether the server takes its kind of key, and certificates of one of its issuers.
  package func fits(_ request: CertificateRequest) -> Bool {
    guard request.keyTypes.contains(keyType) else { return false }
    return request.issuers.isEmpty || request.issuers.contains { issuers.contains($0.digest) }
  }
}
