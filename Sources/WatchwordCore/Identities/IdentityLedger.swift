/// The client identities of one session, and what was decided about presenting them.
///
/// An identity that was added fits any server that asks for its issuer; one that came with an answer is for the
/// origin of that question only: who said yes to one server has not said it to another.
package struct IdentityLedger: Sendable {
  package struct Entry: Sendable {
    package let identity: Identity
    /// Nil: any that asks for it.
    package let origin: Origin?
    /// A use is a handshake in which it was presented.
    package fileprivate(set) var record: UseRecord

    fileprivate func isUsable(now: Double, wallClock: Double) -> Bool {
      !record.isOver(now: now, wallClock: wallClock) && identity.fault(at: wallClock) == nil
    }
  }

  /// What is presented to an origin that asks for these issuers.
  package struct Decision: Sendable, Equatable {
    package let request: CertificateRequest
    package let choice: IdentityChoice

    package init(request: CertificateRequest, choice: IdentityChoice) {
      self.request = request
      self.choice = choice
    }
  }

  /// What becomes of a handshake in which the server asks for a certificate.
  package enum Ruling: Sendable, Equatable {
    case present(Identity)
    case presentNone
    /// The handshake stops, and somebody is asked.
    case ask
  }

  /// Identities of a session: a person has a few, a service some per customer. Beyond it adding is refused, because
  /// whoever added an identity relies on it.
  package static let capacity = 256
  /// Decisions kept of a session; the oldest goes first, and is asked for again.
  package static let decisionCapacity = 1024

  /// In the order in which they were added.
  private var entries: [Entry] = []
  private var decisions: [Origin: [Decision]] = [:]
  /// The origins of the decisions, the oldest first.
  private var decided: [Origin] = []
  /// The origins that have asked for a certificate; nil when there were too many to keep.
  private var asking: Set<Origin>? = []

  package init() {}

  package var count: Int { entries.count }
  package var decisionCount: Int { decided.count }
  package var isFull: Bool { entries.count >= IdentityLedger.capacity }
  /// The one that was added last first.
  package var all: [Entry] { entries.reversed() }

  package func entry(_ identifier: String) -> Entry? {
    entries.first { $0.identity.identifier == identifier }
  }

  // MARK: Identities

  /// Adds an identity, in place of the one with the same certificate.
  ///
  /// - Parameters:
  ///   - origin: the only one that it is for; one that was added for all stays so.
  ///   - limits: those of time and of the number of uses.
  /// - Returns: Whether there was room.
  package mutating func add(
    _ identity: Identity, for origin: Origin? = nil, limits: CredentialLimits = CredentialLimits(),
    now: Double
  ) -> Bool {
    let present = entry(identity.identifier)
    guard present != nil || !isFull else { return false }
    entries.removeAll { $0.identity.identifier == identity.identifier }
    // For two origins: both have asked for it, and a decision says which it goes to unasked.
    let scope = present.map { $0.origin == nil ? nil : origin } ?? origin
    let record = UseRecord(limits: limits, created: now)
    entries.append(Entry(identity: identity, origin: scope, record: record))
    return true
  }

  /// Forgets an identity, and that it was to be presented.
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

  /// The identities that their limits have ended: to be removed with their keys.
  package func over(now: Double, wallClock: Double) -> [String] {
    entries.lazy.filter { $0.record.isOver(now: now, wallClock: wallClock) }.map(\.identity.identifier)
  }

  /// Whether it is there and may be presented now.
  package func isUsable(_ identifier: String, now: Double, wallClock: Double) -> Bool {
    entry(identifier)?.isUsable(now: now, wallClock: wallClock) ?? false
  }

  /// Those that may go to this origin now, the one that was added last first.
  package func usable(at origin: Origin, now: Double, wallClock: Double) -> [Identity] {
    entries.reversed().filter { entry in
      (entry.origin == nil || entry.origin == origin) && entry.isUsable(now: now, wallClock: wallClock)
    }.map(\.identity)
  }

  /// Those of them that fit what it asks for; default handling takes the first.
  package func fitting(
    _ request: CertificateRequest, from origin: Origin, now: Double, wallClock: Double
  ) -> [Identity] {
    usable(at: origin, now: now, wallClock: wallClock).filter { $0.fits(request, wallClock: wallClock) }
  }

  // MARK: Origins

  package mutating func note(asking origin: Origin) {
    asking?.insert(origin)
    if (asking?.count ?? 0) > IdentityLedger.decisionCapacity { asking = nil }
  }

  /// Whether the origin has asked for a certificate before. Connections to those that do not are good for every task.
  package func hasAsked(_ origin: Origin) -> Bool { asking?.contains(origin) ?? true }

  // MARK: Decisions

  /// Keeps for the session what this origin is presented with when it asks for these issuers.
  package mutating func decide(_ choice: IdentityChoice, for request: CertificateRequest, from origin: Origin)
  {
    let decision = Decision(request: request, choice: choice)
    if let index = decisions[origin]?.firstIndex(where: { $0.request == request }) {
      decisions[origin]?[index] = decision
      return
    }
    if decided.count >= IdentityLedger.decisionCapacity, let oldest = decided.first {
      decided.removeFirst()
      decisions[oldest]?.removeFirst()
    }
    decided.append(origin)
    decisions[origin, default: []].append(decision)
  }

  package func decision(for request: CertificateRequest, from origin: Origin) -> Decision? {
    decisions(about: origin).first { $0.request == request }
  }

  package func decisions(about origin: Origin) -> [Decision] { decisions[origin] ?? [] }

  /// Forgets a decision that the server did not take, unless it has been replaced since.
  package mutating func forgetDecision(
    for request: CertificateRequest, from origin: Origin, if choice: IdentityChoice
  ) {
    let unwanted = Decision(request: request, choice: choice)
    forget(at: origin) { $0 == unwanted }
  }

  /// What a server's wish is met with.
  ///
  /// - Parameters:
  ///   - granted: what was decided for the task alone.
  ///   - isAsked: whether somebody takes such questions of this task.
  package mutating func ruling(
    on request: CertificateRequest, from origin: Origin, granted: IdentityChoice? = nil, isAsked: Bool,
    now: Double, wallClock: Double
  ) -> Ruling {
    switch granted ?? decision(for: request, from: origin)?.choice {
    case .some(.none): return .presentNone
    case .identity(let identifier):
      // One that is over or has expired since, or whose key the server takes no more, is no answer.
      if let index = entries.firstIndex(where: { $0.identity.identifier == identifier }),
        entries[index].isUsable(now: now, wallClock: wallClock),
        request.keyTypes.contains(entries[index].identity.keyType)
      {
        return present(index, now: now)
      }
    case .default: return defaultRuling(on: request, from: origin, now: now, wallClock: wallClock)
    case nil: break
    }
    return isAsked ? .ask : defaultRuling(on: request, from: origin, now: now, wallClock: wallClock)
  }

  /// Default handling: a stored identity that fits, else none.
  private mutating func defaultRuling(
    on request: CertificateRequest, from origin: Origin, now: Double, wallClock: Double
  ) -> Ruling {
    guard let chosen = fitting(request, from: origin, now: now, wallClock: wallClock).first,
      let index = entries.firstIndex(where: { $0.identity == chosen })
    else { return .presentNone }
    return present(index, now: now)
  }

  private mutating func present(_ index: Int, now: Double) -> Ruling {
    entries[index].record.noteUse(now: now)
    return .present(entries[index].identity)
  }

  private mutating func forget(_ isUnwanted: (Decision) -> Bool) {
    for origin in decisions.keys { forget(at: origin, isUnwanted) }
  }

  private mutating func forget(at origin: Origin, _ isUnwanted: (Decision) -> Bool) {
    let removed = decisions[origin]?.filter(isUnwanted).count ?? 0
    guard removed > 0 else { return }
    decisions[origin]?.removeAll(where: isUnwanted)
    // Which of an origin's places is freed makes no difference but to the order in which they go.
    for _ in 0..<removed {
      if let index = decided.firstIndex(of: origin) { decided.remove(at: index) }
    }
    if decisions[origin]?.isEmpty ?? false { decisions[origin] = nil }
  }
}
