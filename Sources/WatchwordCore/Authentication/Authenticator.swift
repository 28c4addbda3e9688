package import WatchwordSecret

/// One credential made ready for one protection space: what turns a request into an `Authorization` value.
///
/// Authentication state is a value of (space, credential) and never a field of a connection or a reused
/// handle (CVE-2014-0015, CVE-2016-5420 and their successors).
package enum Authenticator: Sendable {
  /// Basic and Bearer: the same value for every request.
  case fixed(Secret)
  case digest(DigestAuthenticator)

  /// What was sent, so that the answer can be judged.
  package struct Authorization: Sendable {
    package let value: Secret
    /// Not nil exactly for Digest.
    package let ticket: DigestTicket?
  }

  /// - Throws: ``CredentialFault`` when the credential does not fit the offer.
  package init(offer: Offer, credential: Credential) throws(CredentialFault) {
    if let fault = CredentialCheck.fault(of: credential, for: offer.authenticationMethod) {
      throw fault
    }
    switch (credential.kind, offer.authenticationMethod, offer.digest) {
    case (.password(let user, let password), .basic, _):
      self = .fixed(try BasicAuthorization.value(user: user, password: password, isComposed: offer.isUTF8))
    case (.password(let user, let password), .digest, .some(let challenge)):
      guard let digest = DigestAuthenticator(challenge: challenge, user: user, password: password) else {
        throw .wrongKind
      }
      self = .digest(digest)
    case (.token(let token), .bearer, _):
      self = .fixed(try BearerAuthorization.value(token: token))
    case (.password, _, _), (.token, _, _), (.trust, _, _), (.identity, _, _):
      throw .wrongKind
    }
  }

  /// The value for one request; body and `clientNonce`, which is fresh randomness, are asked for by Digest only.
  ///
  /// - Throws: ``DigestFault`` when the nonce is used up, or the body cannot be hashed and has to be.
  package mutating func authorize(
    method: String, target: String, body: (DigestAlgorithm) -> DigestBody, clientNonce: () -> String
  ) throws(DigestFault) -> Authorization {
    switch self {
    case .fixed(let value):
      return Authorization(value: value, ticket: nil)
    case .digest(var digest):
      // Take the payload out before it is changed, so that it is changed in place and not copied.
      self = .consumed
      defer { self = .digest(digest) }
      let body = digest.needsBodyHash ? body(digest.challenge.algorithm) : .unknown
      let made = try digest.authorization(
        method: method, target: target, body: body, clientNonce: clientNonce())
      return Authorization(value: made.value, ticket: made.ticket)
    }
  }

  private static let consumed = Authenticator.fixed(Secret([]))
}
