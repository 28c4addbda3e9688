/// A credential in a session's cache, with the state that its method needs and the record of its use.
package struct CachedCredential: Sendable {
  /// Rises with every store; a task refused with one generation tries a newer one before anybody is asked.
  package let generation: UInt64
  package let space: ProtectionSpace
  package let credential: Credential
  package internal(set) var isDefault: Bool
  package let created: Double
  package internal(set) var lastUsed: Double?
  package internal(set) var uses = 0
  /// The process that gave it; a credential with `confirm` is free to use for that one only.
  package let owner: Int32?

  /// Whether it was given in answer to a challenge of this very space, which is consent to Basic over cleartext.
  package let wasGivenForSpace: Bool

  /// Made when the first challenge for the space is seen; until then nothing can be sent unasked.
  var authenticator: Authenticator?
  /// Where it may be sent unasked; empty until the server has accepted it.
  package internal(set) var scopes: [PreemptiveScope] = []

  /// When the limits end it; nil when they do not. Seconds on the clock that `now` is on.
  package func expiry(now: Double, wallClock: Double) -> Double? {
    let limits = credential.limits
    let ends = [
      limits.lifetimeSeconds.map { created + $0 },
      limits.idleSeconds.map { (lastUsed ?? created) + $0 },
      limits.notAfter.map { now + ($0 - wallClock) },
    ]
    return ends.compactMap(\.self).min()
  }

  /// Whether its limits have ended it: by time, or because it has been used as often as it may be.
  func isOver(now: Double, wallClock: Double) -> Bool {
    if let maximum = credential.limits.maximumUses, uses >= maximum { return true }
    return expiry(now: now, wallClock: wallClock).map { $0 <= now } ?? false
  }

  /// Gets its Digest state ready for a challenge.
  ///
  /// A nonce that the server has accepted stays: concurrent tasks meet many challenges, and share one nonce.
  /// One that it has not, or that is for another algorithm, or has no count left, gives way; a nonce that comes
  /// again goes on with its count, which must never repeat (RFC 7616 §3.4.5).
  mutating func adopt(_ challenge: DigestChallenge) {
    guard case .digest(let digest)? = authenticator else { return }
    let isOther = Bytewise(digest.challenge.nonce) != Bytewise(challenge.nonce)
    guard
      scopes.isEmpty || digest.challenge.algorithm != challenge.algorithm || (digest.isExhausted && isOther)
    else { return }
    if let made = digestAuthenticator(for: challenge) { authenticator = .digest(made) }
  }

  /// Fresh Digest state for a challenge; nil when the credential cannot answer it.
  func digestAuthenticator(for challenge: DigestChallenge) -> DigestAuthenticator? {
    guard case .password(let user, let password) = credential.kind else { return nil }
    return DigestAuthenticator(challenge: challenge, user: user, password: password)
  }

  /// Whether the limits let it go out with this request.
  func permits(_ use: CredentialUse) -> Bool {
    let limits = credential.limits
    if !limits.methods.isEmpty, !limits.methods.contains(use.method) { return false }
    if !limits.pathPrefixes.isEmpty, !limits.pathPrefixes.contains(where: { covers($0, use.url.path) }) {
      return false
    }
    return true
  }

  /// How deep the deepest scope that covers the URL lies; nil when none does.
  func scopeDepth(covering url: RequestURL) -> Int? {
    scopes.lazy.compactMap { $0.depth(covering: url) }.max()
  }

  /// Whether a use by this process has to be confirmed by a challenge first.
  func needsConfirmation(for use: CredentialUse) -> Bool {
    credential.limits.confirm && !use.isConfirmed && (owner == nil || owner != use.process)
  }

  /// Whether `path` is `prefix` or lies below it, by whole segments, however the server may read it.
  private func covers(_ prefix: String, _ path: String) -> Bool {
    guard path.utf8.starts(with: prefix.utf8), !PathReading.mayClimb(path) else { return false }
    return prefix.hasSuffix("/") || path.utf8.count == prefix.utf8.count
      || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
  }
}

/// One request that wants a credential: what the limits are checked against.
package struct CredentialUse: Sendable {
  package let url: RequestURL
  package let method: String
  /// The process whose task it is; nil when it is not known.
  package let process: Int32?
  /// Whether somebody entitled has confirmed this use (limit `confirm`).
  package var isConfirmed = false
  /// Monotonic seconds.
  package let now: Double
  /// Seconds since 1970, for `notAfter`.
  package let wallClock: Double

  package init(url: RequestURL, method: String, process: Int32?, now: Double, wallClock: Double) {
    self.url = url
    self.method = method
    self.process = process
    self.now = now
    self.wallClock = wallClock
  }
}
