internal import WatchwordPrimitives
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
    var names: [ArraySlice<UInt8>] = []
    for fieldValue in fieldValues {
      var reader = FieldReader(fieldValue)
      _ = reader.skipSeparators()
      while !reader.isAtEnd {
        guard let name = reader.token(), reader.skipEqualsSign(), let value = reader.parameterValue(),
          !value.isInApostrophes, reader.isAtEndOfElement, names.count < Self.maximumParameters,
          !names.contains(where: { Self.isSame($0, name) })
        else { return nil }
        names.append(name)
        take(value.octets, called: name)
        _ = reader.skipSeparators()
      }
    }
  }

  private mutating func take(_ value: ArraySlice<UInt8>, called name: ArraySlice<UInt8>) {
    if Self.isSame(name, "nextnonce".utf8) {
      if !value.isEmpty && value.count <= DigestChallenge.maximumNonceBytes {
        nextNonce = OctetString(octets: value)
      }
      return
    }
    let value = String(decoding: value, as: UTF8.self)
    if Self.isSame(name, "rspauth".utf8) {
      responseHash = value
    } else if Self.isSame(name, "cnonce".utf8) {
      clientNonce = value
    } else if Self.isSame(name, "nc".utf8) {
      nonceCount = value
    } else if Self.isSame(name, "qop".utf8) {
      quality = value.asciiLowercased
    }
  }

  /// Parameter names are compared without regard to case (RFC 9110 §11.2); both are tokens.
  private static func isSame(_ name: ArraySlice<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    ASCIICase.matches(name, other.lazy.map { ASCIICase.lower($0) })
  }

  /// Whether the quality of protection, if given, is that of the request. Another one would let a server that does
  /// not know the password choose what is checked.
  func hasQuality(of ticket: DigestTicket) -> Bool { quality.map { $0 == ticket.quality?.rawValue } ?? true }

  /// Whether client nonce and count, if given, are those of the exchange; otherwise a replayed response of another
  /// exchange would pass.
  func agrees(with ticket: DigestTicket) -> Bool {
    if let clientNonce, clientNonce != ticket.clientNonce { return false }
    if let nonceCount, UInt32(nonceCount, radix: 16) != ticket.nonceCount { return false }
    return true
  }
}
