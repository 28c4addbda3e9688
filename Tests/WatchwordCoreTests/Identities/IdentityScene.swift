import WatchwordCore
import WatchwordVocabulary

extension CertificateRequest {
  static func of(
    _ issuers: String..., keyTypes: Set<IdentityKeyType> = Set(IdentityKeyType.allCases)
  ) -> CertificateRequest {
    CertificateRequest(
      issuers: issuers.map { DistinguishedName(text: $0, digest: fingerprint($0)) }, keyTypes: keyTypes)
  }
}

extension Identity {
  static func of(
    _ name: String, issuers: Set<String>, keyType: IdentityKeyType = .ec, notBefore: Double = 0,
    notAfter: Double = 1e9
  ) -> Identity {
    Identity(
      certificate: Certificate(
        subject: name, issuer: "", serialNumber: "1", notBefore: notBefore, notAfter: notAfter,
        subjectAlternativeNames: [], keyType: keyType.rawValue, keyBits: 256, sha256: fingerprint(name),
        publicKey: fingerprint(name), der: []),
      chainLength: 1, issuers: Set(issuers.map(fingerprint)), keyType: keyType)
  }
}

/// One of its own for each short text.
func fingerprint(_ text: String) -> Fingerprint {
  let bytes = Array(text.utf8.prefix(Fingerprint.byteCount))
  guard let made = Fingerprint(bytes + Array(repeating: 0, count: Fingerprint.byteCount - bytes.count)) else {
    preconditionFailure("32 bytes are a fingerprint")
  }
  return made
}
