internal import WatchwordPrimitives
internal import WatchwordSecret
package import WatchwordVocabulary

/// The parameters that authorized one exchange, kept until its response has been checked.
///
/// It contains all that the check needs: the credential or its nonce may be replaced during the exchange.
package struct DigestTicket: Sendable, Equatable {
  package let nonce: OctetString
  /// From 1 on for each nonce.
  package let nonceCount: UInt32
  package let clientNonce: String
  package let target: String
  /// Nil in the form of RFC 2069, which sends no count and no client nonce.
  package let quality: DigestQualityOfProtection?
  let algorithm: DigestAlgorithm
  /// `H(user ":" realm ":" password)` in hexadecimal.
  let passwordHash: Secret

  /// Whether what `information` proves depends on the response's body.
  func needsBody(for information: AuthenticationInfo) -> Bool {
    quality == .authInt && information.responseHash != nil && information.hasQuality(of: self)
  }

  /// Checks the `information` of this exchange's response: `rspauth` of RFC 7616 §3.5.
  ///
  /// `body` is the response's, for `auth-int`; if it is unknown, because the response was cut, such a proof counts as
  /// absent.
  package func verification(
    of information: AuthenticationInfo, body: DigestBody = .unknown
  ) -> DigestVerification {
    guard information.hasQuality(of: self) else { return .wrong }
    guard let claimed = information.responseHash else { return .absent }
    guard information.agrees(with: self) else { return .wrong }
    guard var hash = Hash(algorithm.hash) else { return .absent }
    let bodyHash: HashValue?
    do { bodyHash = try hash.bodyHash(of: body, for: quality) } catch { return .absent }
    let firstPart = algorithm.isSession ? hash.firstPart(of: self) : passwordHash
    let expected = hash.response(of: self, firstPart: firstPart, method: "", bodyHash: bodyHash)
    return expected.hexadecimal == claimed.asciiLowercased ? .verified : .wrong
  }

  /// The count as it is sent and hashed: eight hexadecimal digits.
  func withNonceCountDigits<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var digits: UInt64 = 0
    for place in 0..<8 {
      let digit = Hexadecimal.digit(UInt8(truncatingIfNeeded: nonceCount >> UInt32(4 * place)) & 0xF)
      digits = digits << 8 | UInt64(digit)
    }
    return withUnsafeBytes(of: digits.littleEndian, body)
  }
}
