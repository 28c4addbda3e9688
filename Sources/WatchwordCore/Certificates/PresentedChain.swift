/// What a decision about a chain goes by: the fingerprints of what a server has presented.
package struct PresentedChain: Sendable, Equatable {
  /// Of all certificates, in the order in which they came.
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
