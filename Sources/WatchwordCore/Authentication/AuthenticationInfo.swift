/// `Authentication-Info` or `Proxy-Authentication-Info` of Digest (RFC 7616 §3.5).
struct AuthenticationInfo {
  /// Parameters that are read; Digest has five.
  static let maximumParameters = 16

  var nextNonce: String?
  /// `rspauth`: what the server computed from the password.
  var responseHash: String?
  var clientNonce: String?
  var nonceCount: String?
  var quality: DigestQualityOfProtection?

  /// Nil when the fields are malformed or name a parameter twice: what they meant to say is not guessed.
  init?(_ fieldValues: [String]) {
    var parameters: [String: String] = [:]
    for fieldValue in fieldValues {
      var reader = FieldReader(fieldValue)
      _ = reader.skipListSeparators()
      while !reader.isAtEnd {
        guard let name = reader.token(), reader.skipEqualsSign(), let value = reader.parameterValue(),
          reader.isAtEndOfElement, parameters.count < Self.maximumParameters
        else { return nil }
        let replaced = parameters.updateValue(
          String(decoding: value, as: UTF8.self), forKey: String(decoding: name, as: UTF8.self).lowercased())
        guard replaced == nil else { return nil }
        _ = reader.skipListSeparators()
      }
    }
    nextNonce = parameters["nextnonce"].flatMap { nonce in
      !nonce.isEmpty && nonce.utf8.count <= DigestChallenge.maximumNonceBytes ? nonce : nil
    }
    responseHash = parameters["rspauth"]
    clientNonce = parameters["cnonce"]
    nonceCount = parameters["nc"]
    quality = parameters["qop"].flatMap { DigestQualityOfProtection(rawValue: $0.lowercased()) }
  }

  /// Whether client nonce and count, where given, are those of the exchange: another exchange's answer played
  /// back would otherwise pass.
  func agrees(with ticket: DigestTicket) -> Bool {
    if let clientNonce, clientNonce != ticket.clientNonce { return false }
    if let nonceCount, UInt32(nonceCount, radix: 16) != ticket.nonceCount { return false }
    return true
  }
}
