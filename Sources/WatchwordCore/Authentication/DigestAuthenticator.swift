package import WatchwordVocabulary

/// Answers one Digest space with one user and password (RFC 7616), exchange after exchange.
///
/// Holds the nonce of the space and its count, so that each fetch of a warm session needs one exchange, also
/// concurrently: each call takes the next count. It keeps the hash of user, realm and password, not the
/// password. It reads neither clock nor randomness: the client nonce is an argument.
package struct DigestAuthenticator: Sendable {
  /// The challenge being answered; its nonce is the one in use.
  package private(set) var challenge: DigestChallenge
  private let user: String
  /// `H(user ":" realm ":" password)` in hexadecimal: equivalent to the password in this realm.
  private let passwordHash: Secret
  /// The part before the target in every value made with the current nonce.
  private var prefix: [UInt8]
  private var uses: UInt32
  private var sessionKey: SessionKey?

  /// A1 of the `-sess` algorithms; valid for one nonce and one client nonce.
  private struct SessionKey: Sendable {
    let clientNonce: String
    let hash: Secret
  }

  /// Nil when the hash of the challenge's algorithm is not available here, or when `CredentialCheck` refuses
  /// user or password.
  ///
  /// - Parameter uses: how often the nonce has been used already.
  package init?(challenge: DigestChallenge, user: String, password: Secret, uses: UInt32 = 0) {
    guard CredentialCheck.fault(ofUser: user, password: password) == nil,
      var hash = Hash(challenge.algorithm.hash)
    else { return nil }
    let user = challenge.isUTF8 ? Normalization.composed(user) : user
    let password = challenge.isUTF8 ? Normalization.composed(password) : password
    hash.update(user)
    hash.update(":")
    hash.update(challenge.realm.octets)
    hash.update(":")
    hash.update(password)
    self.challenge = challenge
    self.user = user
    self.uses = uses
    passwordHash = hash.finish().hexadecimalSecret
    prefix = DigestFields.prefix(challenge: challenge, user: user)
  }

  /// Whether the nonce has no count left: a count has eight hexadecimal digits (RFC 7616 §3.4).
  package var isExhausted: Bool { uses == .max }

  /// Whether an exchange with a body needs the body's hash: the server offers only `auth-int`.
  package var needsBodyHash: Bool { challenge.quality == .authInt }

  /// Whether other exchanges used the nonce too, or it is no longer the current one: then a count may have
  /// arrived out of order.
  func hasReused(_ ticket: DigestTicket) -> Bool {
    ticket.nonceCount > 1 || uses > ticket.nonceCount || challenge.nonce != ticket.nonce
  }

  /// Counts after what others have used of the nonce.
  mutating func raise(to count: UInt32) { uses = max(uses, count) }

  /// The value for one exchange, and the ticket that checks the server's response.
  ///
  /// - Parameters:
  /// - target: the request target as in the request line (RFC 7616 §3.4.6).
  /// - clientNonce: fresh and not guessable; with a `-sess` algorithm the first one for a nonce stays in use,
  ///   so that servers that compute A1 once and servers that compute it per request get the same value.
  package mutating func authorization(
    method: String, target: String, body: DigestBody = .empty, clientNonce: String
  ) throws(DigestFault) -> (value: Secret, ticket: DigestTicket) {
    let quality = challenge.quality
    guard var hash = Hash(challenge.algorithm.hash) else { throw .hashUnavailable }
    guard !isExhausted else { throw .nonceExhausted }
    let bodyHash = try hash.bodyHash(of: body, for: quality)
    uses += 1
    let ticket = DigestTicket(
      nonce: challenge.nonce, nonceCount: uses,
      clientNonce: challenge.algorithm.isSession ? sessionKey?.clientNonce ?? clientNonce : clientNonce,
      target: target, quality: quality, algorithm: challenge.algorithm, passwordHash: passwordHash)
    if challenge.algorithm.isSession, sessionKey == nil {
      sessionKey = SessionKey(clientNonce: clientNonce, hash: hash.firstPart(of: ticket))
    }
    let response = hash.response(
      of: ticket, firstPart: sessionKey?.hash ?? passwordHash, method: method, bodyHash: bodyHash)
    return (DigestFields.value(prefix: prefix, ticket: ticket, response: response), ticket)
  }

  /// Adopts the nonce of a further challenge of the same space, after a stale nonce or a refused count.
  ///
  /// Returns false and changes nothing when realm, algorithm or charset differ: then it needs user and
  /// password again. The same nonce keeps its count, which must never repeat (RFC 7616 §3.4.5).
  package mutating func update(challenge next: DigestChallenge) -> Bool {
    guard next.realm == challenge.realm, next.algorithm.hash == challenge.algorithm.hash,
      next.isUTF8 == challenge.isUTF8
    else { return false }
    let isSameNonce =
      next.nonce == challenge.nonce && next.algorithm == challenge.algorithm
    challenge = next
    prefix = DigestFields.prefix(challenge: challenge, user: user)
    if !isSameNonce { forgetUses() }
    return true
  }

  /// Adopts the next nonce that a response names (RFC 7616 §3.5); the same one keeps its count.
  mutating func takeOver(_ information: AuthenticationInfo) {
    guard let nonce = information.nextNonce, nonce != challenge.nonce else { return }
    challenge.nonce = nonce
    prefix = DigestFields.prefix(challenge: challenge, user: user)
    forgetUses()
  }

  private mutating func forgetUses() {
    uses = 0
    sessionKey = nil
  }
}

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
  /// `body` is the response's, for `auth-int`; if it is unknown, because the response was cut, such a proof
  /// counts as absent.
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

/// A message body for `auth-int`.
package enum DigestBody: Sendable {
  case empty
  /// Its hash by the challenge's algorithm.
  case hashed(HashValue)
  /// The body exists, or may exist, and has not been hashed.
  case unknown
  /// It can be hashed, and has not been read yet.
  case unread
}

/// Whether the server has proved that it knows the password (RFC 7616 §3.5).
package enum DigestVerification: Sendable, Equatable {
  /// The response has no proof; most servers send none.
  case absent
  case verified
  /// The proof does not match the password: the sender of the response does not know it.
  case wrong
}
