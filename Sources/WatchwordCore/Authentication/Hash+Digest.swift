package import WatchwordSecret
internal import WatchwordVocabulary

extension HashValue {
  /// The hexadecimal digits in memory that is wiped.
  package var hexadecimalSecret: Secret { Secret(count: 2 * count) { writeHexadecimal(to: $0) } }
}

extension Hash {
  /// Digest's `response` (RFC 7616 §3.4.1); with an empty method `rspauth` (RFC 7616 §3.5).
  ///
  /// The hash must be fresh, and is fresh afterwards.
  mutating func response(
    of ticket: DigestTicket, firstPart: Secret, method: String, bodyHash: HashValue?
  ) -> HashValue {
    update(method)
    update(":")
    update(ticket.target)
    if let bodyHash {
      update(":")
      update(hexadecimal: bodyHash)
    }
    let secondPart = finish()

    update(firstPart)
    update(":")
    update(ticket.nonce.octets)
    if let quality = ticket.quality {
      update(":")
      ticket.withNonceCountDigits { update($0) }
      update(":")
      update(ticket.clientNonce)
      switch quality {
      case .auth: update(":auth")
      case .authInt: update(":auth-int")
      }
    }
    update(":")
    update(hexadecimal: secondPart)
    return finish()
  }

  /// The part of A2 that a body adds; nil when the quality of protection does not include one.
  mutating func bodyHash(
    of body: DigestBody, for quality: DigestQualityOfProtection?
  ) throws(DigestFault) -> HashValue? {
    guard quality == .authInt else { return nil }
    switch body {
    case .empty: return finish()
    case .hashed(let value): return value
    case .unknown: throw .bodyHashNeeded
    case .unread: throw .bodyUnread
    }
  }

  /// `H(passwordHash ":" nonce ":" cnonce)`, the A1 of the `-sess` algorithms (RFC 7616 §3.4.2).
  mutating func firstPart(of ticket: DigestTicket) -> Secret {
    update(ticket.passwordHash)
    update(":")
    update(ticket.nonce.octets)
    update(":")
    update(ticket.clientNonce)
    return finish().hexadecimalSecret
  }

  private mutating func update(hexadecimal value: HashValue) {
    withUnsafeTemporaryAllocation(byteCount: 2 * value.count, alignment: 1) { digits in
      value.writeHexadecimal(to: digits)
      update(UnsafeRawBufferPointer(digits))
    }
  }
}
