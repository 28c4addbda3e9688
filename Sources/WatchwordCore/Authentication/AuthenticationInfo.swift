package import WatchwordVocabulary

/// `Authentication-Info` or `Proxy-Authentication-Info` of Digest (RFC 7616 §3.5).
package struct AuthenticationInfo {
  /// Parameters that are read; Digest has five.
  static let maximumParameters = 16

  package private(set) var nextNonce: OctetString?
  /// `rspauth`: what the server computed from the password.
  package private(set) var responseHash: String?
  private(set) var clientNonce: String?
  private(set) var nonceCount: String?
  /// `qop` in lower case, known or not.
  private(set) var quality: String?

  /// Nil when the fields are malformed or name a parameter twice; nothing is guessed.
  package init?(_ fieldValues: [OctetString]) {
    var names: [String] = []
    for fieldValue in fieldValues {
      var reader = FieldReader(fieldValue)
      _ = reader.skipSeparators()
      while !reader.isAtEnd {
        guard let name = reader.token().map(Self.lowercased), reader.skipEqualsSign(),
          let value = reader.parameterValue(), !value.isInApostrophes, reader.isAtEndOfElement,
          names.count < Self.maximumParameters, !names.contains(name)
        else { return nil }
        names.append(name)
        readParameter(value.octets, called: name)
        _ = reader.skipSeparators()
      }
    }
  }

  private mutating func readParameter(_ value: ArraySlice<UInt8>, called name: String) {
    var text: String { String(decoding: value, as: UTF8.self) }
    switch name {
    case "nextnonce":
      if !value.isEmpty && value.count <= DigestChallenge.maximumNonceBytes {
        nextNonce = OctetString(octets: value)
      }
    case "rspauth": responseHash = text
    case "cnonce": clientNonce = text
    case "nc": nonceCount = text
    case "qop": quality = text.asciiLowercased
    default: break
    }
  }

  /// Parameter names, which are tokens, are compared without regard to case (RFC 9110 §11.2).
  private static func lowercased(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name, as: UTF8.self).asciiLowercased
  }

  /// Whether the quality of protection, if given, is that of the request. Another one would let a server that
  /// does not know the password choose what is checked.
  func hasQuality(of ticket: DigestTicket) -> Bool { quality.map { $0 == ticket.quality?.rawValue } ?? true }

  /// Whether client nonce and count, if given, are those of the exchange; otherwise a replayed response of
  /// another exchange would pass.
  func agrees(with ticket: DigestTicket) -> Bool {
    if let clientNonce, clientNonce != ticket.clientNonce { return false }
    if let nonceCount, UInt32(nonceCount, radix: 16) != ticket.nonceCount { return false }
    return true
  }
}
