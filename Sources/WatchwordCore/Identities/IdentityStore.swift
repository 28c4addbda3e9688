package import WatchwordVocabulary

/// The client identities of one session, and the decisions about presenting them.
///
/// An added identity fits any server that names its issuer; one from a reply is for the origin of that
/// question only, because consent for one server is not consent for another. The permanent ones of the
/// account come after the session's own.
package struct IdentityStore: Sendable {
  package struct SessionIdentity: Sendable {
    package let identity: Identity
    /// Nil: any origin.
    package let origin: Origin?
    /// A use is a handshake in which it was presented.
    package fileprivate(set) var record: UseRecord

    fileprivate func isUsable(now: Double, wallClock: Double) -> Bool {
      !record.isOver(now: now, wallClock: wallClock) && identity.fault(at: wallClock) == nil
    }
  }

  /// What is presented to an origin that names these issuers.
  package struct Decision: Sendable, Equatable {
    package let request: CertificateRequest
    package let choice: IdentityChoice

    package init(request: CertificateRequest, choice: IdentityChoice) {
      self.request = request
      self.choice = choice
    }
  }

  /// How a handshake continues in which the server requests a certificate.
  package enum Ruling: Sendable, Equatable {
    case present(Identity)
    case presentNone
    /// The handshake stops, and a delegate is asked.
    case ask
  }

  /// Identities of a session: a person has a few, a service some per customer. At the limit adding is
  /// refused, because callers rely on the identities that they added.
  package static let capacity = 256
  /// Decisions kept of a session; the oldest is removed first, and its question is asked again.
  package static let decisionCapacity = 1024

  /// In the order in which they were added.
  private var entries: [SessionIdentity] = [] {
    didSet { heldBytes = entries.reduce(0) { $0 + $1.identity.heldBytes } }
  }
  /// What they take in memory, with their keys and certificates.
  package private(set) var heldBytes = 0
  private var decisions: [Origin: [Decision]] = [:]
  /// The origins of the decisions, the oldest first.
  private var decided: [Origin] = []
  /// The origins that have requested a certificate; nil when there were too many to keep.
  private var asking: Set<Origin>? = []
  /// Those of the account, lent for one event; none in a session with private storage.
  var permanent = PermanentIdentities()

  package init() {}

  package var count: Int { entries.count }
  package var decisionCount: Int { decided.count }
  package var isFull: Bool { entries.count >= IdentityStore.capacity }
  /// The most recently added first.
  package var all: [SessionIdentity] { entries.reversed() }

  package func entry(_ identifier: String) -> SessionIdentity? {
    entries.first { $0.identity.identifier == identifier }
  }

  // MARK: Identities

  /// Adds an identity, in place of the one with the same certificate.
  ///
  /// - Parameters:
  /// - origin: the only origin that may see it; an identity that was added for all stays so.
  ///   - limits: those of time and of the number of uses.
  /// - Returns: Whether there was room.
  package mutating func add(
    _ identity: Identity, for origin: Origin? = nil, limits: CredentialLimits = CredentialLimits(),
    now: Double
  ) -> Bool {
    let present = entry(identity.identifier)
    guard present != nil || !isFull else { return false }
    entries.removeAll { $0.identity.identifier == identity.identifier }
    // It is for two origins now: both have requested it, and decisions say which origin gets it without a
    // question.
    let scope = present.map { $0.origin == nil ? nil : origin } ?? origin
    let record = UseRecord(limits: limits, created: now)
    entries.append(SessionIdentity(identity: identity, origin: scope, record: record))
    return true
  }

  /// Keeps one of another store, with its uses.
  mutating func takeOver(_ identity: Identity, for origin: Origin?, _ record: UseRecord) {
    entries.append(SessionIdentity(identity: identity, origin: origin, record: record))
  }

  /// Removes an identity and the decisions to present it.
  package mutating func remove(_ identifier: String) -> Bool {
    let before = entries.count
    entries.removeAll { $0.identity.identifier == identifier }
    forget { $0.choice == .identity(identifier) }
    return entries.count < before
  }

  package mutating func removeAll() {
    entries = []
    decisions = [:]
    decided = []
  }

  /// The identities that have expired or are used up: to be removed with their keys.
  package func over(now: Double, wallClock: Double) -> [String] {
    entries.lazy.filter { $0.record.isOver(now: now, wallClock: wallClock) }.map(\.identity.identifier)
  }

  /// Ends the permanent ones that have expired or are used up, and the decisions to present them.
  ///
  /// - Returns: Whether there were any.
  mutating func dropExpiredPermanent(now: Double, wallClock: Double) -> Bool {
    let over = permanent.dropExpired(now: now, wallClock: wallClock)
    forgetDecisions(about: over.map(\.identifier))
    return !over.isEmpty
  }

  /// Forgets decisions to present identities that are not there any more.
  mutating func forgetDecisions(about identifiers: some Collection<String>) {
    let gone = Set(identifiers.filter { entry($0) == nil && !permanent.holds($0) })
    guard !gone.isEmpty else { return }
    forget { decision in
      guard case .identity(let identifier) = decision.choice else { return false }
      return gone.contains(identifier)
    }
  }

  /// Whether it is stored and may be presented now.
  package func isUsable(_ identifier: String, now: Double, wallClock: Double) -> Bool {
    entry(identifier)?.isUsable(now: now, wallClock: wallClock) ?? false
      || permanent.usable(identifier, at: nil, now: now, wallClock: wallClock) != nil
  }

  /// The identities that may be presented to this origin now: the session's own, the most recently added
  /// first, and then the permanent ones that count over these ways, which callers have chosen.
  package func usable(
    at origin: Origin, over ways: [CallersWay] = [], now: Double, wallClock: Double
  ) -> [Identity] {
    let own = entries.reversed().filter { entry in
      (entry.origin == nil || entry.origin == origin) && entry.isUsable(now: now, wallClock: wallClock)
    }.map(\.identity)
    guard !permanent.isEmpty else { return own }
    var known = Set(own.map(\.identifier))
    return own
      + permanent.usable(at: origin, over: ways, now: now, wallClock: wallClock).map(\.identity).filter {
        known.insert($0.identifier).inserted
      }
  }

  /// Those of them that match the request; default handling takes the first.
  package func fitting(
    _ request: CertificateRequest, from origin: Origin, over ways: [CallersWay] = [], now: Double,
    wallClock: Double
  ) -> [Identity] {
    usable(at: origin, over: ways, now: now, wallClock: wallClock).filter {
      $0.fits(request, wallClock: wallClock)
    }
  }

  // MARK: Origins

  package mutating func note(asking origin: Origin) {
    asking?.insert(origin)
    if (asking?.count ?? 0) > IdentityStore.decisionCapacity { asking = nil }
  }

  /// Whether the origin has requested a certificate before. If not, all tasks share its connections.
  package func hasAsked(_ origin: Origin) -> Bool { asking?.contains(origin) ?? true }

  // MARK: Decisions

  /// Stores for the session what is presented to this origin when it names these issuers.
  package mutating func decide(_ choice: IdentityChoice, for request: CertificateRequest, from origin: Origin)
  {
    let decision = Decision(request: request, choice: choice)
    if let index = decisions[origin]?.firstIndex(where: { $0.request == request }) {
      decisions[origin]?[index] = decision
      return
    }
    if decided.count >= IdentityStore.decisionCapacity, let oldest = decided.first {
      decided.removeFirst()
      decisions[oldest]?.removeFirst()
    }
    decided.append(origin)
    decisions[origin, default: []].append(decision)
  }

  package func decision(for request: CertificateRequest, from origin: Origin) -> Decision? {
    decisions(about: origin).first { $0.request == request }
  }

  /// The oldest origin first.
  package var allDecisions: [(origin: Origin, decision: Decision)] {
    var known: Set<Origin> = []
    return decided.filter { known.insert($0).inserted }.flatMap { origin in
      decisions(about: origin).map { (origin, $0) }
    }
  }

  package func decisions(about origin: Origin) -> [Decision] { decisions[origin] ?? [] }

  /// Forgets a decision that the server refused, unless it has been replaced since.
  package mutating func forgetDecision(
    for request: CertificateRequest, from origin: Origin, if choice: IdentityChoice
  ) {
    let unwanted = Decision(request: request, choice: choice)
    forget(at: origin) { $0 == unwanted }
  }

  /// Decides how to respond to a CertificateRequest.
  ///
  /// - Parameters:
  /// - granted: the decision for the task alone.
  /// - ways: what callers have chosen of the way. An identity that a reply has named is presented whatever
  ///   they are.
  /// - isAsked: whether a delegate takes identity questions of this task.
  package mutating func ruling(
    on request: CertificateRequest, from origin: Origin, granted: IdentityChoice? = nil,
    over ways: [CallersWay] = [], isAsked: Bool, now: Double, wallClock: Double
  ) -> Ruling {
    switch granted ?? decision(for: request, from: origin)?.choice {
    case .some(.none): return .presentNone
    case .identity(let identifier):
      // Removed or expired identities, and those whose key type the server no longer accepts, are skipped.
      if let index = entries.firstIndex(where: { $0.identity.identifier == identifier }),
        entries[index].isUsable(now: now, wallClock: wallClock),
        request.keyTypes.contains(entries[index].identity.keyType)
      {
        return present(index, now: now)
      }
      if let entry = permanent.usable(identifier, at: origin, now: now, wallClock: wallClock),
        request.keyTypes.contains(entry.identity.keyType)
      {
        return present(entry, now: now)
      }
    case .default: return defaultRuling(on: request, from: origin, over: ways, now: now, wallClock: wallClock)
    case nil: break
    }
    return isAsked
      ? .ask : defaultRuling(on: request, from: origin, over: ways, now: now, wallClock: wallClock)
  }

  /// Default handling: a stored identity that matches, else none.
  private mutating func defaultRuling(
    on request: CertificateRequest, from origin: Origin, over ways: [CallersWay], now: Double,
    wallClock: Double
  ) -> Ruling {
    guard let chosen = fitting(request, from: origin, over: ways, now: now, wallClock: wallClock).first else {
      return .presentNone
    }
    let own = entries.firstIndex {
      $0.identity == chosen && $0.isUsable(now: now, wallClock: wallClock)
        && ($0.origin == nil || $0.origin == origin)
    }
    if let own { return present(own, now: now) }
    let kept = permanent.usable(at: origin, over: ways, now: now, wallClock: wallClock)
      .filter { $0.identity == chosen }
    guard let entry = kept.first(where: { $0.origin == origin }) ?? kept.first else { return .presentNone }
    return present(entry, now: now)
  }

  private mutating func present(_ index: Int, now: Double) -> Ruling {
    entries[index].record.noteUse(now: now)
    return .present(entries[index].identity)
  }

  private mutating func present(_ entry: PermanentIdentities.StoredIdentity, now: Double) -> Ruling {
    permanent.noteUse(entry.number, now: now)
    return .present(entry.identity)
  }

  private mutating func forget(_ isUnwanted: (Decision) -> Bool) {
    for origin in decisions.keys { forget(at: origin, isUnwanted) }
  }

  private mutating func forget(at origin: Origin, _ isUnwanted: (Decision) -> Bool) {
    let removed = decisions[origin]?.filter(isUnwanted).count ?? 0
    decisions[origin]?.removeAll(where: isUnwanted)
    // Which entry of an origin is removed only affects the order of removal.
    for _ in 0..<removed {
      if let index = decided.firstIndex(of: origin) { decided.remove(at: index) }
    }
    if decisions[origin, default: []].isEmpty { decisions[origin] = nil }
  }
}
