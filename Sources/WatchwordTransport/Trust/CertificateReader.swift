internal import CTransport
internal import Glibc
internal import WatchwordCore
package import WatchwordVocabulary

extension Certificate {
  /// Reads OpenSSL's `X509`; nil when a part of it cannot be read.
  package init?(_ x509: OpaquePointer) {
    var read = transport_certificate()
    guard transport_certificate_read(x509, &read) else { return nil }
    defer { transport_certificate_clear(&read) }
    guard let sha256 = Fingerprint(read.sha256), let publicKey = Fingerprint(read.public_key) else {
      return nil
    }
    let names = UnsafeBufferPointer(start: read.alternative_names, count: Int(read.alternative_name_count))
    self.init(
      subject: Certificate.shown(read.subject), issuer: Certificate.shown(read.issuer),
      serialNumber: Certificate.shown(read.serial_number), notBefore: read.not_before,
      notAfter: read.not_after, subjectAlternativeNames: names.map { Certificate.shown($0) },
      keyType: Certificate.shown(read.key_type), keyBits: Int(read.key_bits), sha256: sha256,
      publicKey: publicKey, der: Array(UnsafeBufferPointer(start: read.der, count: read.der_length)))
  }

  /// RFC 4514 text of an `X509_NAME`.
  static func text(ofName name: OpaquePointer) -> String {
    let text = transport_name_text(name)
    defer { free(text) }
    return shown(text)
  }

  private static func shown(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return CertificateText.shown(String(cString: text).utf8)
  }
}

extension Fingerprint {
  init?(_ fingerprint: transport_fingerprint) {
    self.init(withUnsafeBytes(of: fingerprint.bytes) { Array($0) })
  }
}

extension ServerTrust {
  /// Certificates of one chain that are described; no server needs more, and each costs a caller kilobytes.
  static let maximumCertificates = 64

  /// Describes the chain that a server presented in the handshake of this `X509_STORE_CTX`; nil when the
  /// server's own certificate cannot be read, so that no question is possible. Other unreadable certificates
  /// are omitted; `presented` covers them all the same.
  package init?(_ context: OpaquePointer, _ presented: PresentedChain, faults: [TrustFault]) {
    let count = min(Int(transport_presented_count(context)), ServerTrust.maximumCertificates)
    var certificates: [Certificate] = []
    for index in 0..<count {
      let certificate = transport_presented_at(context, Int32(index)).flatMap { Certificate($0) }
      if let certificate { certificates.append(certificate) } else if index == 0 { return nil }
    }
    guard !certificates.isEmpty else { return nil }
    self.init(certificates: certificates, presented: presented, faults: faults)
  }
}

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
