// Made from `protocol/openrpc.json` by `protocol/generate`.

/// What a server can ask for; agentUnlock: the locked agent asks; key: nobody asks, it is a key in a header
/// field of its own (storage.md 9.4.9).
package enum AuthenticationMethod: String, CaseIterable, Sendable {
  case basic
  case digest
  case bearer
  case negotiate
  case ntlm
  case htmlForm
  case clientCertificate
  case serverTrust
  case agentUnlock
  case key
}

/// The answer to a challenge.
package enum Disposition: String, CaseIterable, Sendable {
  case useCredential
  case performDefaultHandling
  case cancelAuthenticationChallenge
  case rejectProtectionSpace
}

/// One end of a connection.
package enum Hop: String, CaseIterable, Sendable {
  case origin
  case proxy
}

/// Why a client certificate cannot be used; reason of credentialUnusable.
package enum IdentityFault: String, CaseIterable, Sendable {
  /// The text of the certificates cannot be read.
  case certificatesUnreadable
  /// The text of the key cannot be read.
  case keyUnreadable
  /// The file cannot be read.
  case pkcs12Unreadable
  /// Ask for the passphrase and call again.
  case passphraseNeeded
  /// Ask for the passphrase and call again.
  case wrongPassphrase
  /// The key belongs to none of the certificates.
  case keyMismatch
  /// By the daemon's clock.
  case expired
  /// By the daemon's clock.
  case notYetValid
  /// Its extended key usage lacks clientAuth, or its key usage digitalSignature.
  case wrongPurpose
  /// The cipher or the kind of key is not supported.
  case unsupported
  /// The key or a signature is below the security level of TLS.
  case tooWeak
  /// Too many certificates, bits, or rounds of key derivation (2,000,000); of a permanent identity, more than
  /// 131,072 bytes of certificates and key as PEM.
  case tooLarge
  /// Memory is short; the error is internalError then.
  case outOfMemory
  /// No token fits the URI, or it does not respond.
  case tokenUnavailable
  /// More than one token or key fits the URI.
  case tokenAmbiguous
  /// The PIN of the token is locked.
  case tokenLocked
  /// The token has no certificate with the key's id: send it.
  case certificateMissing
}

/// The kind of a key.
package enum IdentityKeyType: String, CaseIterable, Sendable {
  case rsa
  case ec
  case ed25519
  case ed448
}

/// How long a credential is kept. permanent is for passwords, tokens, decisions about certificates and client
/// identities, in sessions with shared storage; synchronizable is for passwords and tokens there, on a host
/// of a fleet. For everything else the answer is storageUnavailable (administrator.md 15.4).
package enum Persistence: String, CaseIterable, Sendable {
  case none
  case forSession
  case permanent
  case synchronizable
}

/// The protocol that a proxy speaks. https: HTTP over TLS.
package enum ProxyType: String, CaseIterable, Sendable {
  case http
  case https
  case socks4
  case socks5
}

/// What default evaluation holds against a certificate.
package enum TrustReason: String, CaseIterable, Sendable {
  /// Its time is over.
  case expired
  /// Its time has not begun.
  case notYetValid
  /// It is for another host.
  case hostMismatch
  /// Its issuer is no root of the session, and none of its certificates leads to one.
  case unknownIssuer
  /// It is signed with its own key, and is no root.
  case selfSigned
  /// Its issuer has revoked it.
  case revoked
  /// `tls.revocation` or the administrator requires a proof that it is not revoked, and there is none.
  case revocationUnknown
  /// Its signature has less than 112 bits of security.
  case weakSignature
  /// Its key has less than 112 bits of security.
  case weakKey
  /// Its purpose or key usage does not allow this use of it.
  case invalidPurpose
  /// The chain is longer than an issuer allows.
  case pathLength
  /// An issuer does not permit one of its names.
  case nameConstraint
  /// It breaks a rule of RFC 5280 for every certificate.
  case malformed
  /// It would cost too much to verify, and was not (challenges.md 10.12).
  case tooComplex
  /// The chain has none of the keys of `tls.pins`.
  case pinMismatch
  /// It breaks a rule of the administrator, or a certificate policy.
  case policy
  /// Any other fault of verification.
  case other
}

/// What is accepted: the certificates as they were shown, or the server's key under any certificate.
package enum TrustScope: String, CaseIterable, Sendable {
  case certificate
  case publicKey
}

/// What the deadline of a challenge answers.
package enum UnansweredMeaning: String, CaseIterable, Sendable {
  case cancel
  case performDefaultHandling
  case deliver
}
