internal import CTransport
internal import WatchwordCore

extension PresentedChain {
  /// Reads what a decision goes by; nil when memory is short.
  init?(_ chain: OpaquePointer) {
    guard let certificate = X509_STORE_CTX_get0_cert(chain) else { return nil }
    var digest = [UInt8](repeating: 0, count: Fingerprint.byteCount)
    guard X509_digest(certificate, EVP_sha256(), &digest, nil) == 1, let own = Fingerprint(digest),
      X509_pubkey_digest(certificate, EVP_sha256(), &digest, nil) == 1, let key = Fingerprint(digest)
    else { return nil }
    self.init(chain: own, certificate: own, publicKey: key)
  }
}

extension ServerTrust {
  init?(_ chain: OpaquePointer, _ presented: PresentedChain, faults: [TrustFault]) {
    self.init(certificates: [], presented: presented, faults: faults)
  }
}
