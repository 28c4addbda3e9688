internal import WatchwordCore
package import WatchwordMessages
internal import WatchwordPrimitives
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

  /// RFC 7468 §2: lines of 64 characters.
  private var pem: String {
    let text = Array(Base64.encode(der).utf8)
    let lines = stride(from: 0, to: text.count, by: 64).map { start in
      String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self)
    }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(
      separator: "\n")
  }
}
