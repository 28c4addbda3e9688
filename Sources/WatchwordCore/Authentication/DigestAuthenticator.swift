package import WatchwordSecret
internal import WatchwordVocabulary

/// Answers one Digest space with one user and password (RFC 7616), exchange after exchange.
///
/// Holds the nonce of the space and its count, so that each fetch of a warm session needs one exchange, also
/// concurrently: each call takes the next count. It keeps the hash of user, realm and password, not the password. It
/// reads neither clock nor randomness: the client nonce is an argument.
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

  /// Whether other exchanges used the nonce too, or it is no longer the current one: then a count may have arrived
  /// out of order.
  func hasReused(_ ticket: DigestTicket) -> Bool {
    ticket.nonceCount > 1 || uses > ticket.nonceCount || challenge.nonce != ticket.nonce
  }

  /// Counts after what others have used of the nonce.
  mutating func raise(to count: UInt32) { uses = max(uses, count) }

  /// The value for one exchange, and the ticket that checks the server's response.
  ///
  /// - Parameters:
  /// - target: the request target as in the request line (RFC 7616 §3.4.6).
  /// - clientNonce: fresh and not guessable; with a `-sess` algorithm the first one for a nonce stays in use, so that
  ///   servers that compute A1 once and servers that compute it per request get the same value.
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
  /// Returns false and changes nothing when realm, algorithm or charset differ: then it needs user and password
  /// again. The same nonce keeps its count, which must never repeat (RFC 7616 §3.4.5).
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
    challenge.isStale = false
    prefix = DigestFields.prefix(challenge: challenge, user: user)
    forgetUses()
  }

  private mutating func forgetUses() {
    uses = 0
    sessionKey = nil
  }
}
