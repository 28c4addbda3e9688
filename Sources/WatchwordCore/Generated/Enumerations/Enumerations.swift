// Made from `protocol/openrpc.json` by `protocol/generate`.

/// Which bound a body has exceeded; limit of bodyTooLarge.
package enum BodyLimit: String, CaseIterable, Sendable {
  case inlineBodyBytes
  case memoryBodyBytes
  case decodedBodyBytes
  case maximumBodyBytes
}

/// How a challenge was settled.
package enum ChallengeOutcome: String, CaseIterable, Sendable {
  case answered
  case `default`
  case deadline
  case withdrawn
}

/// Why a handshake with a client certificate failed; reason of tlsFailed.
package enum ClientCertificateFault: String, CaseIterable, Sendable {
  /// None was presented, and the server requires one.
  case certificateRequired
  /// The server asks for one in a second handshake on the connection, which is not done.
  case certificateRequiredLater
  /// The server refuses the one that was presented.
  case certificateRefused
  /// The token that holds its key did not sign.
  case tokenFailed
}

/// Why no connection could be made; reason of connectionFailed.
package enum ConnectionFault: String, CaseIterable, Sendable {
  case connectionRefused
  case hostUnreachable
  case networkUnreachable
}

/// Why a password, a token or tickets cannot answer a method; reason of credentialUnusable and of the
/// history.
package enum CredentialFault: String, CaseIterable, Sendable {
  /// The method takes another kind of credential.
  case wrongKind
  /// The user, the password or the token has a control character, which would end a header field.
  case controlCharacter
  /// The user has a colon, which Basic cannot send.
  case colonInUser
  /// The password is not UTF-8, and the method or the server takes texts only.
  case notUTF8
  /// The token is empty or has a space.
  case malformedToken
  /// The user, the password or the token is longer than the method or the proxy takes.
  case tooLong
  /// The session has no identity with this id.
  case unknownIdentity
  /// The administrator has named no such source, credential cache or keytab.
  case unknownName
  /// The administrator's source does not serve this origin (storage.md 9.7).
  case otherOrigin
  /// The administrator's source gave nothing (storage.md 9.7).
  case sourceFailed
  /// The caller decides where a request to the origin ends: what a source gives is not sent there (storage.md
  /// 9.7).
  case callersWay
  /// Only basic, bearer and key go with the first request, to an origin (storage.md 9.4.6).
  case notPreemptive
  /// Its limit `confirm` asks for a confirmation, and a reading raises no challenge.
  case confirmationNeeded
  /// The daemon's own tickets serve its own uid only (methods.md 14.2).
  case otherAccount
}

/// Why a TLS handshake failed; reason of tlsFailed. handshakeFailure, protocolVersion and unrecognizedName
/// are alerts of TLS (RFC 8446 section 6.2).
package enum HandshakeFault: String, CaseIterable, Sendable {
  /// The server answers in HTTP.
  case plainHTTP
  /// The server speaks another protocol.
  case notTLS
  /// The server accepts none of the cipher suites, groups and signature algorithms.
  case handshakeFailure
  /// The server has no version that is used here.
  case protocolVersion
  /// The server has no certificate for the name.
  case unrecognizedName
}

/// What negotiate has used.
package enum InnerMechanism: String, CaseIterable, Sendable {
  case kerberos
  case ntlm
}

/// A hash of a body.
package enum IntegrityAlgorithm: String, CaseIterable, Sendable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"
}

/// Why a login form cannot be posted; reason of authenticationFailed (methods.md 16).
package enum LoginFormFault: String, CaseIterable, Sendable {
  /// It is not whole within the first bytes of the page, or has more fields than are carried over.
  case tooLarge
  /// Its method is not POST: the password would be part of a URL.
  case notPosted
  /// Its content is not `application/x-www-form-urlencoded`.
  case unsupportedEncoding
  /// It is posted to another origin than the page's, or to no URL.
  case otherOrigin
}

/// Why a credential for negotiate or ntlm could not be used; reason of authenticationFailed (methods.md
/// 14.11, methods.md 14.12).
package enum NegotiationFault: String, CaseIterable, Sendable {
  /// There is no credential cache, or no ticket in it.
  case ticketMissing
  /// The ticket has expired.
  case ticketExpired
  /// The realm does not know the user, refuses the password, or has locked the account.
  case credentialRefused
  /// The cache or keytab is malformed, or has no key of the principal.
  case credentialMalformed
  /// The realm has no key for the server.
  case serverUnknown
  /// No server of the realm can be reached.
  case kdcUnreachable
  /// The clock of this host is too far from the realm's.
  case clockSkew
  /// The realm's servers did not answer in time.
  case timedOut
  /// The server's token is malformed, too long, or from another server.
  case tokenRefused
  /// The server chose a mechanism that the session does not allow.
  case mechanismRefused
  /// The library for the method is not installed.
  case unavailable
  /// Any other fault.
  case failed
}

/// Why a SOCKS proxy opened no connection (RFC 1928, section 6); a SOCKS4 proxy says refused only. Reason of
/// proxyFailed. malformedReply: what it sent is not SOCKS. noAcceptableMethod: it accepts no method of
/// authentication that is known here.
package enum SOCKSFault: String, CaseIterable, Sendable {
  case malformedReply
  case noAcceptableMethod
  case refused
  case generalFailure
  case connectionNotAllowed
  case networkUnreachable
  case hostUnreachable
  case connectionRefused
  case timeToLiveExpired
  case commandNotSupported
  case addressTypeNotSupported
}

/// Why a source gave nothing; reason of credentialSourceFailed (administrator.md 15.3.8).
package enum SourceFault: String, CaseIterable, Sendable {
  /// A file is not there, cannot be read, is not a regular file, or belongs to others.
  case unreadable
  /// Others may read a file.
  case looseMode
  /// A file, or what a program or an endpoint said, is too large.
  case tooLarge
  /// A file, or what a program said, has nothing.
  case empty
  /// What it said is not in its format.
  case malformed
  /// What it said does not fit the method.
  case unfit
  /// A program cannot be started.
  case notStarted
  /// A program or an endpoint did not answer in time.
  case timedOut
  /// There is no connection to the endpoint.
  case unreachable
  /// The endpoint's certificate failed verification.
  case untrusted
  /// The endpoint says that it cannot answer now (5xx, 429).
  case unavailable
  /// The endpoint redirects.
  case redirected
  /// The endpoint refuses the client: `invalid_client` or `unauthorized_client` (RFC 6749 §5.2).
  case clientRefused
  /// The endpoint refuses the refresh token: `invalid_grant`.
  case grantRefused
  /// The endpoint gives any other error.
  case requestRefused
  /// The server refuses the tokens that the endpoint gives.
  case tokensRefused
  /// The person at the authorization server has refused.
  case accessDenied
  /// Three codes have expired before a person has entered one.
  case codeExpired
  /// A person must enter a code, and no delegate can be asked.
  case promptNeeded
  /// A new refresh token cannot be written.
  case unwritable
  /// Too many readings wait.
  case overloaded
  /// The administrator has changed or removed the source.
  case withdrawn
  /// What it gave has expired.
  case expired
  /// A helper ends the search for a credential (`quit`).
  case stopped
}

/// Why the fleet's store cannot be used (administrator.md 15.4).
package enum SynchronizationFault: String, CaseIterable, Sendable {
  /// No connection, or it was lost.
  case unreachable
  /// TLS: the endpoint's certificate is not accepted, or it does not accept this host's.
  case untrusted
  /// Nothing came within 10 seconds; 5 when the watch is checked; 4 in all for a write.
  case timedOut
  /// The user, the password or a request is refused.
  case refused
  /// The member answers that it cannot.
  case unavailable
  /// No reply of etcd's.
  case malformed
  /// A reply of more than 16 MiB, or a credential of more than 192 KiB.
  case tooLarge
  /// More than 65,536 records of one uid.
  case tooMany
  /// The watch has not shown a change that is there.
  case silent
  /// A file of the setting cannot be read, has a loose mode or is malformed.
  case fileUnusable
  /// The vault cannot be made or written.
  case vaultUnwritable
}

/// What has taken too long.
package enum TimeoutPhase: String, CaseIterable, Sendable {
  case connect
  case request
  case resource
}
