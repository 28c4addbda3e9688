package import WatchwordVocabulary

/// A credential that a session has cached, with the state that its method needs and the record of its use.
package struct CachedCredential: Sendable {
  /// Directories in which one credential was accepted; the oldest is removed first, at the cost of one
  /// exchange.
  package static let scopeCapacity = 64

  /// Rises with every store; a task refused with one generation tries a newer one before a delegate is asked.
  package let generation: UInt64
  /// Matches any realm until a server accepts it, when the caller named none.
  package internal(set) var space: ProtectionSpace
  package internal(set) var credential: Credential
  package internal(set) var isDefault: Bool
  package internal(set) var record: UseRecord
  /// The process that gave it; with `confirm` only this process may use it without a confirmation.
  package let owner: ProcessIdentifier?

  /// Whether it was given as the reply to a challenge of this space, which is consent to Basic over
  /// cleartext.
  package internal(set) var wasGivenForSpace: Bool

  /// Whether it was the userinfo of a proxy's URL: it serves the tasks whose proxy has the same userinfo, and
  /// never becomes the default.
  package var isFromURL = false

  /// The record of the account's permanent credentials that this is a copy of, whose limits it has in common
  /// with the copies of other sessions; nil: it is the session's own.
  package internal(set) var permanentNumber: UInt64?

  /// Of a record that is synchronizable; nil for another one.
  package var synchronization: SynchronizationMark?

  /// Created at the first challenge for the space; until then nothing can be sent preemptively.
  var authenticator: Authenticator?
  /// Where it may be sent preemptively; empty until the server has accepted it.
  package internal(set) var scopes: [PreemptiveScope] = []
  /// Where it goes with the first request; nil for one that waits for a challenge.
  private let givenScope: PreemptiveScope?
  /// Whether a server has taken it with a request that it had not asked for: then it is not tried by one task
  /// first.
  var hasServedUnasked = false
  /// Whether no server has taken it yet, asked or unasked.
  var isUntried: Bool { scopes.isEmpty && !hasServedUnasked }
  /// Hashes of paths in these scopes that have asked for another realm or method. Two paths of one hash cost
  /// one exchange.
  private var pathsLeft: [Int] = []

  package init(
    generation: UInt64, space: ProtectionSpace, credential: Credential, isDefault: Bool, record: UseRecord,
    owner: ProcessIdentifier?, wasGivenForSpace: Bool, authenticator: Authenticator? = nil,
    scopes: [PreemptiveScope] = []
  ) {
    self.generation = generation
    self.space = space
    self.credential = credential
    self.isDefault = isDefault
    self.record = record
    self.owner = owner
    self.wasGivenForSpace = wasGivenForSpace
    self.authenticator = authenticator
    self.scopes = scopes
    givenScope =
      credential.isPreemptive
      ? PreemptiveScope(givenFor: space.origin, pathPrefixes: credential.limits.pathPrefixes) : nil
  }

  /// Where it is kept.
  package var key: CredentialKey { CredentialKey(credential, for: space) }

  /// Bytes of its credential, realm and ways while it is stored.
  var byteCount: Int { credential.byteCount + (space.realm?.count ?? 0) + record.ways.heldBytes }

  // MARK: Using

  /// Makes an `Authorization` value, and counts the use; see
  /// ``SessionMemory/authorize(_:offer:use:isRepeated:body:clientNonce:)``.
  mutating func authorize(
    offer: Offer?, use: CredentialUse, isRepeated: Bool, at space: ProtectionSpace, keepsNonce: Bool,
    counts: inout NonceCounts, body: (DigestAlgorithm) -> DigestBody, clientNonce: () -> String
  ) throws(CredentialUseFault) -> Authenticator.Authorization {
    guard isRepeated || permits(use), !isOver(use, isRepeated: isRepeated) else { throw .gone }
    let offer = offer ?? offerOfFirstRequest
    // Every login page has hidden fields of its own.
    if authenticator == nil || offer?.form != nil {
      guard let offer, let made = try? Authenticator(offer: offer, credential: credential) else {
        throw .unfit
      }
      authenticator = made
    } else if let challenge = offer?.digest {
      adopt(challenge, keepsNonce: keepsNonce)
    }
    let made: Authenticator.Authorization?
    do throws(DigestFault) {
      made = try authenticator?.authorize(
        method: use.method, target: use.requestTarget, at: space, counts: &counts, body: body,
        clientNonce: clientNonce)
    } catch {
      switch error {
      case .bodyUnread: throw .bodyUnread
      // With a challenge, the nonce is exhausted only if the server repeats the same one.
      case .nonceExhausted: throw offer == nil ? .gone : .unfit
      case .bodyHashNeeded, .hashUnavailable: throw .unfit
      }
    }
    guard let made else { throw .unfit }
    if isRepeated { record.noteRepetition(now: use.now) } else { record.noteUse(now: use.now) }
    return made
  }

  /// What it answers when it goes with the first request: nothing was asked.
  private var offerOfFirstRequest: Offer? {
    guard authenticator == nil, givenScope != nil else { return nil }
    return Offer(authenticationMethod: space.authenticationMethod, realm: nil, parameters: [])
  }

  /// The server has accepted it: it may be sent preemptively inside the scope from now on.
  mutating func noteAcceptance(in scope: PreemptiveScope) {
    guard !scopes.contains(scope) else { return }
    if scopes.count >= CachedCredential.scopeCapacity { scopes.removeFirst() }
    scopes.append(scope)
  }

  /// A path has asked for another space, although it is in the scope: it leaves it (challenges.md 7.7).
  mutating func leave(_ path: String) {
    let hash = Bytewise(path).hashValue
    guard !pathsLeft.contains(hash) else { return }
    if pathsLeft.count >= CachedCredential.scopeCapacity { pathsLeft.removeFirst() }
    pathsLeft.append(hash)
  }

  /// The server has accepted it at this path.
  mutating func enter(_ path: String) {
    guard !pathsLeft.isEmpty else { return }
    let hash = Bytewise(path).hashValue
    pathsLeft.removeAll { $0 == hash }
  }

  // MARK: Digest

  var digest: DigestAuthenticator? {
    if case .digest(let digest)? = authenticator { digest } else { nil }
  }

  /// Its Digest state, changed in place; nil when it has none.
  mutating func updateDigest<Result>(_ change: (inout DigestAuthenticator) -> Result) -> Result? {
    guard case .digest(var digest)? = authenticator else { return nil }
    // Taken out while it is changed, so that no copy is made.
    authenticator = nil
    defer { authenticator = .digest(digest) }
    return change(&digest)
  }

  /// Prepares its Digest state for a challenge.
  ///
  /// The answer has the nonce of the challenge: a nonce may belong to the connection on which it came.
  /// Requests that are sent preemptively share the newest one.
  ///
  /// - Parameter keepsNonce: where requests go one at a time, one that the server has accepted stays, unless
  ///   it is for another algorithm or has no count left.
  mutating func adopt(_ challenge: DigestChallenge, keepsNonce: Bool) {
    guard case .digest(let digest)? = authenticator else { return }
    guard digest.challenge != challenge else { return }
    let isUsable = !scopes.isEmpty && digest.challenge.algorithm == challenge.algorithm && !digest.isExhausted
    guard !keepsNonce || !isUsable else { return }
    var next = digest
    if next.update(challenge: challenge) {
      authenticator = .digest(next)
    } else if let made = digestAuthenticator(for: challenge) {
      authenticator = .digest(made)
    }
  }

  /// Fresh Digest state for a challenge; nil when the credential cannot answer it.
  func digestAuthenticator(for challenge: DigestChallenge) -> DigestAuthenticator? {
    guard case .password(let user, let password) = credential.kind else { return nil }
    return DigestAuthenticator(challenge: challenge, user: user, password: password)
  }

  // MARK: Limits

  /// Whether its own count has ended it: that of a copy is its record's.
  private func isOver(_ use: CredentialUse, isRepeated: Bool) -> Bool {
    permanentNumber == nil
      && record.isOver(now: use.now, wallClock: use.wallClock, isRepeated: isRepeated)
  }

  /// Whether the limits allow it to be sent with this request.
  func permits(_ use: CredentialUse) -> Bool {
    credential.limits.permit(use)
  }

  /// Whether the limits allow it to be used for this path; nil: for the whole origin.
  func permits(path: String?) -> Bool { credential.limits.permit(path: path) }

  /// The depth of the deepest scope that covers the URL, and in which the policy lets it be sent; nil when
  /// none does.
  ///
  /// A reply to a challenge of the space is consent to cleartext.
  func scopeDepth(covering url: RequestURL, _ policy: MethodPolicy) -> Int? {
    if !pathsLeft.isEmpty, pathsLeft.contains(Bytewise(url.path).hashValue) { return nil }
    var deepest: Int?
    if wasGivenForSpace || policy.allowsStored(space.authenticationMethod, over: url.origin) {
      for scope in scopes {
        if let depth = scope.depth(covering: url) { deepest = max(deepest ?? 0, depth) }
      }
    }
    if let givenScope, wasGivenForSpace || policy.allowsFirst(over: url.origin),
      let depth = givenScope.depth(covering: url)
    {
      deepest = max(deepest ?? 0, depth)
    }
    return deepest
  }

  /// Whether a delegate must confirm a use by this process first: the limit `confirm` is set, and another
  /// process gave the credential, or it is not known which one did.
  func needsConfirmation(for process: ProcessIdentifier?) -> Bool {
    credential.limits.confirm && (owner == nil || owner != process)
  }
}

extension CredentialLimits {
  /// Whether a request with this method and path may carry the credential.
  func permit(_ use: CredentialUse) -> Bool {
    (methods.isEmpty || methods.contains(use.method)) && permit(path: use.url.path)
  }

  /// Nil: the whole origin.
  func permit(path: String?) -> Bool {
    guard let path else { return pathPrefixes.isEmpty }
    return pathPrefixes.isEmpty || pathPrefixes.contains { PathReading.isBelow($0, path) }
  }
}

/// Why an entry gave no `Authorization` value.
package enum CredentialUseFault: Error, Sendable {
  /// It is not there any more, its limits do not let it be used (again), or its nonce has no count left:
  /// the space has to be asked again.
  case gone
  /// It cannot answer this offer.
  case unfit
  /// It can, when the body has been hashed; no use was counted.
  case bodyUnread
}
