// Made from `protocol/openrpc.json` by `protocol/generate`.

extension AllowedVersions {
  /// A version of HTTP.
  package enum HTTP: String, CaseIterable, Sendable {
    case http2 = "2"
    case http11 = "1.1"
  }
}

extension AllowedVersions {
  /// A version of IP.
  package enum IP: String, CaseIterable, Sendable {
    case ipv4 = "4"
    case ipv6 = "6"
  }
}

extension AllowedVersions {
  /// A version of TLS.
  package enum TLS: String, CaseIterable, Sendable {
    case tls12 = "1.2"
    case tls13 = "1.3"
  }
}

/// Which bound a body has exceeded; limit of bodyTooLarge.
package enum BodyLimit: String, CaseIterable, Sendable {
  case inlineBodyBytes
  case memoryBodyBytes
  case decodedBodyBytes
  case maximumBodyBytes
}

extension CallersWay {
  /// What callers have chosen of the way to a server.
  package enum Choice: String, CaseIterable, Sendable {
    /// `tls.roots` of the session, over https or to an HTTPS proxy.
    case roots
    /// `addresses.resolve` of the session, over http.
    case addresses
    /// `proxies` of the session, over http.
    case proxy
    /// A certificate that failed verification and was accepted for the session or the task.
    case acceptedCertificate
    /// `forms` of the session, which name the page and the fields that get the user and the password.
    case forms
  }
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

extension ConnectionLoss {
  /// Whether the server may have processed a request.
  package enum Processed: String, CaseIterable, Sendable {
    /// The request did not reach the server, or the server said that it did not process it.
    case no
    /// There is no proof of that.
    case unknown
  }
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

extension DelegateInterest {
  /// About which chains serverTrust asks.
  package enum TrustVerdicts: String, CaseIterable, Sendable {
    case all
    case refused
  }
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

extension HistoryEntry {
  /// What became of a credential, a challenge, a restricted request or the agent.
  package enum Outcome: String, CaseIterable, Sendable {
    /// Of a credential: the server took it.
    case accepted
    /// Of a credential: the server refused it.
    case refused
    /// Of a credential: a server did not prove itself to it.
    case serverNotAuthenticated
    /// Of a credential: it was given back to `pid`.
    case read
    /// Of a client certificate: in a handshake.
    case presented
    /// Of a challenge: with a credential, or null.
    case answered
    /// Of a challenge.
    case defaultHandling
    /// Of a challenge.
    case cancelled
    /// Of a challenge.
    case rejected
    /// Of a challenge: no reply came in time.
    case deadline
    /// Of a challenge (challenges.md 3.12, methods.md 9.10.9).
    case withdrawn
    /// A restricted connection was refused (restricted.md 2.6).
    case restricted
    /// Memory was cleared, by `pid` or, with null, by SIGUSR1.
    case forgotten
    /// Of the agent, by `pid`.
    case locked
    /// Of the agent, by `pid`.
    case unlocked
    /// Of the agent, by `pid`: a wrong passphrase.
    case unlockRefused
  }
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

extension IntegrityFault {
  /// The source of the digest that a body must have.
  package enum Source: String, CaseIterable, Sendable {
    /// The caller has given it.
    case caller
    /// `Repr-Digest` or `Content-Digest` of the response has it.
    case origin
  }
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

extension MethodPolicy.Digest {
  /// Whether a Digest nonce that has served is sent again. auto: until the server answers that with 400 or
  /// 403.
  package enum Preemptive: String, CaseIterable, Sendable {
    case auto
    case always
    case never
  }
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

extension PartialDownload {
  /// What became of a partial file.
  package enum Continuation: String, CaseIterable, Sendable {
    /// The body is the rest, and is appended.
    case continued
    /// The body is the whole, and replaces the file's contents.
    case restarted
    /// The file has the whole already.
    case complete
    /// The body is unrelated to the file, which stays as it is.
    case discarded
  }
}

extension PassedOver {
  /// Why a credential does not count for a request.
  package enum Reason: String, CaseIterable, Sendable {
    /// Callers have chosen the way to the server, and it was not given over this way (storage.md 9.2.7,
    /// storage.md 9.6.12).
    case callersWay
    /// Its limits do not allow the URL or the method.
    case limits
    /// It is of a URL or a netrc, and the origin or the proxy has refused it.
    case refused
  }
}

extension ProposedCredential {
  /// Where a proposed credential is. ambient: the tickets of the daemon's uid.
  package enum Source: String, CaseIterable, Sendable {
    case url
    case session
    case permanent
    case synchronizable
    case netrc
    case ambient
  }
}

extension ProxyRules {
  /// Where the setting of a proxy is.
  package enum Source: String, CaseIterable, Sendable {
    case session
    case task
    case environment
  }
}

extension RedirectPolicy {
  /// What a 3xx does. manual: deliver it. ask: task/willRedirect.
  package enum Mode: String, CaseIterable, Sendable {
    case follow
    case manual
    case ask
  }
}

extension RestrictionFault {
  /// Which bound of a restriction a request has violated. call: the method. member: a parameter of fetch.
  /// field: a header field that another rule adds.
  package enum Reason: String, CaseIterable, Sendable {
    case call
    case member
    case session
    case origin
    case path
    case method
    case field
    case requestBytes
    case rate
    case responseBytes
    case expired
  }
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

extension SessionConfiguration {
  /// Which cookies a session keeps. originOnly: those whose domain is exactly the host that set them.
  package enum Cookies: String, CaseIterable, Sendable {
    case accept
    case originOnly
    case never
  }
}

extension SessionConfiguration {
  /// Whether a session goes by what is permanent.
  package enum CredentialStorage: String, CaseIterable, Sendable {
    case shared
    case `private`
  }
}

extension SessionConfiguration {
  /// What must be known about revocation.
  package enum Revocation: String, CaseIterable, Sendable {
    /// Only what a certificate itself requires.
    case off
    /// An OCSP response that the server sends is checked.
    case stapled
    /// There has to be a good OCSP response, or a list of the certificate's issuer.
    case required
    /// There has to be a good OCSP response, regardless of lists.
    case stapleRequired
  }
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

extension SuspendWatch {
  /// Whether agents lock before the machine sleeps, or why they do not.
  package enum State: String, CaseIterable, Sendable {
    /// `agent.lockOnSuspend` is not set.
    case off
    /// There is no libsystemd.
    case noLibrary
    /// There is no connection to the system's bus; it is tried again.
    case noBus
    /// On the bus, without an answer yet.
    case connecting
    /// Nothing answers under logind's name.
    case noLogind
    /// Logind refuses an inhibitor: agents still lock, and the sleep does not wait for it.
    case noInhibitor
    /// An inhibitor is held, or sleep has begun.
    case ready
  }
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

extension SynchronizationStateMachine {
  /// What is done with the fleet's store.
  package enum State: String, CaseIterable, Sendable {
    /// No vault of this host is open, nor could be made.
    case idle
    /// A user is authenticated, or a watch begun.
    case connecting
    /// Records are read.
    case reading
    /// Changes of other hosts come as they are made.
    case watching
    /// After lastError; the next endpoint is tried within 0.5 s, then within a time that doubles up to 60 s.
    case waiting
  }
}

/// What has taken too long.
package enum TimeoutPhase: String, CaseIterable, Sendable {
  case connect
  case request
  case resource
}

extension UnusableOffer {
  /// Why a challenge of a response cannot be answered (challenges.md 6.3).
  package enum Reason: String, CaseIterable, Sendable {
    /// No method of this version.
    case unknownMethod
    /// In `methods.disabled`, without its library, or not possible at this hop.
    case disabled
    /// A byte that the grammar does not allow and that has no single meaning.
    case malformed
    /// A quote that is not closed, or that stands inside a word.
    case unclosedQuote
    /// A parameter twice.
    case repeatedParameter
    /// A Digest challenge with a token68.
    case unexpectedToken
    /// A Digest challenge without realm.
    case missingRealm
    /// A Digest challenge without nonce.
    case missingNonce
    /// A nonce of more than 2,048 bytes.
    case nonceTooLong
    /// A Digest algorithm that is not known.
    case unknownAlgorithm
    /// A `qop` that names no known one, or none with a `-sess` algorithm.
    case unknownQop
    /// One after the first 64 of a response, or one with more than 128 parameters.
    case tooMany
    /// The page of a rule of `forms`, on which no form has both fields.
    case missingField
  }
}

extension VaultLifecycle {
  /// What can be done with a vault.
  package enum State: String, CaseIterable, Sendable {
    /// Nothing permanent has been kept yet.
    case none
    /// What it has is in memory.
    case open
    /// `agent/unlock` opens it, or, with a reason, the keyring that has its key.
    case locked
    /// It is read again when it is needed.
    case forgotten
    /// It cannot be used.
    case unavailable
  }
}
