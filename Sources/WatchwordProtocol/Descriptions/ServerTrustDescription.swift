internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordPrimitives
package import WatchwordVocabulary

extension ServerTrust {
  /// The certificates as presented and the verdict on them (challenges.md 2.9).
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("certificates")
    writer.beginArray()
    for certificate in certificates { certificate.write(to: &writer) }
    writer.endArray()
    writer.member("verdict", isTrusted ? "trusted" : "refused")
    writer.key("reasons")
    TrustFault.write(faults, to: &writer)
    writer.endObject()
  }
}

extension TrustFault {
  package static func write(_ faults: some Sequence<TrustFault>, to writer: inout JSONWriter) {
    writer.beginArray()
    for fault in faults {
      writer.beginObject()
      writer.member("reason", fault.reason.rawValue)
      writer.member("depth", fault.depth)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension Certificate {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("subject", subject)
    writer.member("issuer", issuer)
    writer.member("serialNumber", serialNumber)
    writer.member("notBefore", Timestamp.text(notBefore))
    writer.member("notAfter", Timestamp.text(notAfter))
    writer.key("subjectAlternativeNames")
    writer.strings(subjectAlternativeNames)
    writer.member("keyType", keyType)
    writer.member("keyBits", keyBits)
    writer.member("sha256", sha256.hexadecimal)
    writer.member("publicKey", publicKey.pin)
    writer.member("pem", pem)
    writer.endObject()
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
