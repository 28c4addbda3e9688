internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

extension PresentedChain {
  /// Reads an `X509_STORE_CTX` after evaluation; nil when a fingerprint cannot be read.
  package init?(_ context: OpaquePointer) {
    guard let leaf = transport_presented_at(context, 0),
      let chain = Fingerprint(of: context, transport_presented_fingerprint),
      let certificate = Fingerprint(of: leaf, transport_certificate_fingerprint),
      let publicKey = Fingerprint(of: leaf, transport_certificate_public_key)
    else { return nil }
    let verified = (0..<transport_verified_count(context)).compactMap { index in
      transport_verified_at(context, index).flatMap { Fingerprint(of: $0, transport_certificate_public_key) }
    }
    self.init(
      chain: chain, certificate: certificate, publicKey: publicKey, verifiedPublicKeys: verified)
  }
}

extension Fingerprint {
  /// The hash of one of OpenSSL's objects.
  init?(
    of object: OpaquePointer,
    _ hash: (OpaquePointer, UnsafeMutablePointer<transport_fingerprint>) -> Bool
  ) {
    var fingerprint = transport_fingerprint()
    guard hash(object, &fingerprint) else { return nil }
    self.init(fingerprint)
  }
}
