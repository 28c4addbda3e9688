internal import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

extension ServerTrust {
  /// The certificates as presented and the verdict on them (challenges.md 2.9).
  var sent: Sent.ServerTrust {
    Sent.ServerTrust(
      certificates: certificates.map(\.sent), verdict: isTrusted ? "trusted" : "refused",
      reasons: faults.map(\.sent))
  }
}

extension TrustFault: Describing {
  package var sent: Sent.TrustReason { Sent.TrustReason(reason: reason.rawValue, depth: depth) }
}

extension Certificate {
  fileprivate var sent: Sent.Certificate {
    Sent.Certificate(
      subject: subject, issuer: issuer, serialNumber: serialNumber, notBefore: Timestamp.text(notBefore),
      notAfter: Timestamp.text(notAfter), subjectAlternativeNames: subjectAlternativeNames, keyType: keyType,
      keyBits: keyBits, sha256: sha256.hexadecimal, publicKey: publicKey.pin, pem: pem)
  }
}
