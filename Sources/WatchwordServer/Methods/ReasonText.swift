internal import WatchwordCore
internal import WatchwordVocabulary

/// Texts for the reasons of an error, for people who read its message; `data` has the names for programs.
extension CredentialFault {
  var text: String {
    switch self {
    case .wrongKind: "its kind does not fit the authentication method"
    case .controlCharacter: "it holds a control character"
    case .colonInUser: "Basic cannot send a user name with a colon"
    case .notUTF8: "its password is not UTF-8: only Basic takes one, from a server that states no charset"
    case .malformedToken: "the token is empty or has a space"
    case .tooLong: "it is too long"
    case .unknownName: "the administrator has named no such source, credential cache or keytab"
    case .unknownIdentity: "the session has no such identity"
    case .otherOrigin: "the administrator's source is for other origins"
    case .callersWay: "a source is not used over roots, addresses or proxies of the caller's"
    case .sourceFailed: "the administrator's source gives none"
    case .notPreemptive: "only Basic and Bearer go with the first request to an origin"
    case .confirmationNeeded: "is for the process that gave it: a reading cannot ask a person to confirm"
    case .otherAccount: "the daemon's default tickets belong to another uid"
    }
  }
}

extension NegotiationFault {
  var text: String {
    switch self {
    case .ticketMissing: "there is no Kerberos ticket; kinit gets one"
    case .ticketExpired: "the Kerberos ticket has expired; kinit gets another one"
    case .credentialRefused: "the realm refuses the user or the password"
    case .credentialMalformed: "the credential cache or keytab is malformed, or not for this principal"
    case .serverUnknown: "the realm does not know the server"
    case .kdcUnreachable: "no server of the realm can be reached"
    case .clockSkew: "the clocks of this host and of the realm differ too much"
    case .timedOut: "the realm's servers did not answer in time"
    case .tokenRefused: "the server's token is malformed or from another server"
    case .mechanismRefused: "the server chose a mechanism that the session does not allow"
    case .unavailable: "the library for this method is not installed"
    case .failed: "GSSAPI failed"
    }
  }
}

extension ConnectionLoss {
  var text: String {
    switch (isBeforeFirstByte, processed) {
    case (true, .no): "the connection ended before the request was sent"
    case (true, .unknown):
      "the connection ended before a response came; the server may have processed the request"
    case (false, _): "the connection ended in the middle of the response"
    }
  }
}

extension ConnectionFault {
  var text: String {
    switch self {
    case .connectionRefused: "connection refused"
    case .hostUnreachable: "the host is unreachable"
    case .networkUnreachable: "the network is unreachable"
    }
  }
}

extension HandshakeFault {
  var text: String {
    switch self {
    case .plainHTTP: "the server speaks HTTP, not TLS"
    case .notTLS: "the server does not speak TLS"
    case .handshakeFailure: "the server accepts none of the cipher suites and keys that it was offered"
    case .protocolVersion: "the server has no TLS version that is used here"
    case .unrecognizedName: "the server does not know the name"
    }
  }
}

extension ClientCertificateFault {
  var text: String {
    switch self {
    case .certificateRequired: "the server wants a client certificate"
    case .certificateRequiredLater:
      "the server wants a client certificate in the middle of a connection, by a second handshake"
    case .certificateRefused: "the server does not take the client certificate"
    case .tokenFailed: "the token with the client certificate's key did not sign; add the identity again"
    }
  }
}

extension TrustFault {
  var text: String { depth == 0 ? "it \(reason.text)" : "an issuer's certificate \(reason.text)" }
}

extension TrustReason {
  /// What is wrong with a certificate.
  fileprivate var text: String {
    switch self {
    case .expired: "has expired"
    case .notYetValid: "is not valid yet"
    case .hostMismatch: "is for another host"
    case .unknownIssuer: "has an unknown issuer"
    case .selfSigned: "is self-signed"
    case .revoked: "was revoked"
    case .revocationUnknown: "comes without proof that it is not revoked"
    case .weakSignature: "has a signature that is too weak"
    case .weakKey: "has a key that is too weak"
    case .invalidPurpose: "is not meant for this purpose"
    case .pathLength: "is in a longer chain than an issuer allows"
    case .nameConstraint: "has a name that an issuer does not permit"
    case .malformed: "is malformed"
    case .tooComplex: "costs too much to verify"
    case .pinMismatch: "does not match a pin of the session"
    case .policy: "breaks a rule of the session"
    case .other: "failed verification"
    }
  }
}

extension LoginFormFault {
  var text: String {
    switch self {
    case .tooLarge:
      "the login form is too large: it must end within the first 256 KiB and have at most 256 fields"
    case .notPosted: "the login form does not use POST: the password would be part of a URL"
    case .unsupportedEncoding: "the login form's encoding is not application/x-www-form-urlencoded"
    case .otherOrigin: "the login form leads to another origin than its page"
    }
  }
}
