internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

extension Certificate {
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("subject", subject)
    writer.member("issuer", issuer)
    writer.member("serialNumber", serialNumber)
    writer.member("notBefore", Timestamp.text(notBefore))
    writer.member("notAfter", Timestamp.text(notAfter))
    writer.member("keyType", keyType)
    writer.member("keyBits", keyBits)
    writer.member("sha256", sha256.hexadecimal)
    writer.member("publicKey", publicKey.pin)
  }
}
