package import WatchwordVocabulary

/// One credential prepared for one protection space: makes the `Authorization` value of each request.
///
/// Authentication state is a value of (space, credential) and never a field of a connection or a reused
/// handle (CVE-2014-0015, CVE-2016-5420 and their successors).
package enum Authenticator: Sendable {
  /// Basic and Bearer: the same value for every request. A login form: the content that is posted, once.
  case fixed(Secret)
  case digest(DigestAuthenticator)
  /// Negotiate and NTLM: the values are made outside, token by token (``NegotiationStep``).
  case connection

  /// The sent value, and what is needed to check the response.
  package struct Authorization: Sendable {
    package let value: Secret
    /// Non-nil exactly for Digest.
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
    case (.password(let user, let password), .htmlForm, _):
      guard let form = offer.form else { throw .wrongKind }
      self = .fixed(form.content(user: user, password: password))
    case (.password, .negotiate, _), (.password, .ntlm, _), (.kerberos, .negotiate, _):
      self = .connection
    case (.password, _, _), (.token, _, _), (.trust, _, _), (.identity, _, _), (.kerberos, _, _):
      throw .wrongKind
    }
  }

  /// The value for one request; only Digest uses the body and `clientNonce`, which must be fresh randomness.
  ///
  /// - Parameter counts: of the session's nonces, at the server of `space`.
  /// - Throws: ``DigestFault`` when the nonce is exhausted, or the body must be hashed and cannot be.
  package mutating func authorize(
    method: String, target: String, at space: ProtectionSpace, counts: inout NonceCounts,
    body: (DigestAlgorithm) -> DigestBody, clientNonce: () -> String
  ) throws(DigestFault) -> Authorization {
    switch self {
    case .fixed(let value):
      return Authorization(value: value, ticket: nil)
    case .connection:
      return Authorization(value: Authenticator.nothing, ticket: nil)
    case .digest(var digest):
      // Take the payload out first, so that it is changed in place and not copied.
      self = .consumed
      defer { self = .digest(digest) }
      let body = digest.needsBodyHash ? body(digest.challenge.algorithm) : .unknown
      digest.raise(to: counts.count(of: digest.challenge.nonce, at: space))
      let made = try digest.authorization(
        method: method, target: target, body: body,
        clientNonce: counts.clientNonce(of: digest.challenge.nonce, at: space) ?? clientNonce())
      counts.note(made.ticket, at: space)
      return Authorization(value: made.value, ticket: made.ticket)
    }
  }

  private static let nothing = Secret([])
  private static let consumed = Authenticator.fixed(nothing)
}

/// Makes `Authorization` values of the Basic scheme (RFC 7617).
///
/// User and password are encoded as UTF-8 whether or not the challenge says `charset="UTF-8"`: without it the
/// encoding is the client's guess (RFC 7617 §3), UTF-8 is what browsers settled on, and it agrees with every
/// other guess on ASCII. A password that is given as octets is sent as it is.
package enum BasicAuthorization {
  private static let scheme: StaticString = "Basic "

  /// The whole field value.
  ///
  /// - Parameter isComposed: whether user and password are sent in Normalization Form C, which a server that
  ///   states its charset expects (RFC 7617 §2.1).
  package static func value(
    user: String, password: Secret, isComposed: Bool = false
  ) throws(CredentialFault) -> Secret {
    if let fault = CredentialCheck.fault(ofBasicUser: user, password: password) { throw fault }
    guard !isComposed || password.isUTF8 else { throw .notUTF8 }
    let user = isComposed ? Normalization.composed(user) : user
    let password = isComposed ? Normalization.composed(password) : password
    let pair = Secret(count: user.utf8.count + 1 + password.count) { target in
      var writer = AuthorizationWriter(target)
      for byte in user.utf8 { writer.append(byte) }
      writer.append(UInt8(ascii: ":"))
      password.withBytes { writer.append($0) }
    }
    return Secret(count: scheme.utf8CodeUnitCount + Base64.encodedCount(of: pair.count)) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      let text = UnsafeMutableRawBufferPointer(rebasing: target[writer.position...])
      pair.withBytes { Base64.encode($0, into: text) }
    }
  }
}

/// Makes `Authorization` values of the Bearer scheme (RFC 6750 §2.1).
package enum BearerAuthorization {
  private static let scheme: StaticString = "Bearer "

  /// The whole field value; the token is sent as it is.
  package static func value(token: Secret) throws(CredentialFault) -> Secret {
    if let fault = CredentialCheck.fault(ofToken: token) { throw fault }
    return Secret(count: scheme.utf8CodeUnitCount + token.count) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      token.withBytes { writer.append($0) }
    }
  }
}
