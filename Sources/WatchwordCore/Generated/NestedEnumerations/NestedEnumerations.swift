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

extension ConnectionLoss {
  /// Whether the server may have processed a request.
  package enum Processed: String, CaseIterable, Sendable {
    /// The request did not reach the server, or the server said that it did not process it.
    case no
    /// There is no proof of that.
    case unknown
  }
}

extension DelegateInterest {
  /// About which chains serverTrust asks.
  package enum TrustVerdicts: String, CaseIterable, Sendable {
    case all
    case refused
  }
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

extension IntegrityFault {
  /// The source of the digest that a body must have.
  package enum Source: String, CaseIterable, Sendable {
    /// The caller has given it.
    case caller
    /// `Repr-Digest` or `Content-Digest` of the response has it.
    case origin
  }
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
