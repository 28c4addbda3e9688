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
