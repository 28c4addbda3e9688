package import WatchwordVocabulary

/// The trust decisions of one session, and how they apply to a handshake.
///
/// Decisions for the session apply to all its later tasks. A decision for some tasks only (persistence
/// `none`) is a grant: its connections are a partition of their own, which ends with the last of those tasks.
package struct TrustStore: Sendable {
  /// A decision for the session, as `trust/list` shows it.
  package struct SessionDecision: Sendable {
    /// Unique in the session; what `trust/remove` names.
    package let identifier: UInt64
    package let decision: TrustDecision
    /// Of the server's certificate at the time of the decision, for a person.
    package let subjectName: String
    package let certificate: Fingerprint
    package let publicKey: Fingerprint
    package fileprivate(set) var record: UseRecord

    package init(
      identifier: UInt64, decision: TrustDecision, subjectName: String, certificate: Fingerprint,
      publicKey: Fingerprint, record: UseRecord
    ) {
      self.identifier = identifier
      self.decision = decision
      self.subjectName = subjectName
      self.certificate = certificate
      self.publicKey = publicKey
      self.record = record
    }
  }

  /// How a handshake continues.
  package enum Ruling: Sendable, Equatable {
    case accept
    /// The handshake stops, and a delegate is asked about the chain with these faults.
    case ask([TrustFault])
    /// The handshake ends, whatever anyone would reply.
    case refuse([TrustFault])
  }

  /// Decisions kept; the least recently used one is removed first.
  package static let capacity = 1024

  private var entries: [Origin: [SessionDecision]] = [:]
  package private(set) var count = 0
  /// Decisions for some tasks only.
  package private(set) var grants = TaskGrants()
  private var lastNumber: UInt64 = 0
  /// Whether a decision has had limits: most sessions have none, and look for none.
  private var hasLimits = false

  package init() {}

  package var all: [SessionDecision] { entries.values.joined().sorted(on: \.identifier) }

  // MARK: Handshakes

  /// The connections that a task's exchange with this origin may use (challenges.md 10.7).
  ///
  /// - Parameter isAsked: whether a delegate is asked about this task's chains even when they are trusted.
  package func partition(for task: TaskIdentifier, to origin: Origin, isAsked: Bool) -> ConnectionPartition {
    grants.partition(of: task, to: origin) ?? (isAsked ? .decided : .common)
  }

  /// The verdict on a chain in a partition.
  package mutating func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition,
    now: Double
  ) -> Ruling {
    switch partition.ground {
    case .common where faults.isEmpty: return .accept
    case .grant where grants.covers(presented, from: origin, with: faults, in: partition, now: now):
      return .accept
    case .common, .decided, .grant: break
    }
    guard
      let index = entries[origin]?.firstIndex(where: {
        $0.decision.covers(presented, from: origin, with: faults)
      })
    else { return .ask(faults) }
    entries[origin]?[index].record.noteUse(now: now)
    return .accept
  }

  /// What was accepted of chains that failed verification.
  ///
  /// - Parameter task: whose own decision counts as well.
  func accepted(from origin: Origin, for task: TaskIdentifier?) -> [TrustDecision.Subject] {
    accepted(from: origin, in: task.flatMap { grants.partition(of: $0, to: origin) })
  }

  /// - Parameter partition: whose own decision counts as well.
  func accepted(from origin: Origin, in partition: ConnectionPartition?) -> [TrustDecision.Subject] {
    let granted = partition.flatMap { grants.grant(of: $0)?.trust }
    guard granted != nil || !entries.isEmpty else { return [] }
    let decisions = (entries[origin] ?? []).map(\.decision) + (granted.map { [$0] } ?? [])
    return decisions.filter { !$0.excused.isEmpty }.map(\.subject)
  }

  // MARK: Decisions

  /// Keeps a decision for the session; one with the same subject is replaced.
  ///
  /// - Returns: Whether that has replaced another decision, or removed an excuse: close the connections that
  ///   depend on it.
  @discardableResult
  package mutating func record(
    _ decision: TrustDecision, about trust: ServerTrust, limits: CredentialLimits = CredentialLimits(),
    now: Double
  ) -> Bool {
    lastNumber += 1
    if limits != CredentialLimits() { hasLimits = true }
    let before = entries[decision.origin]?.count ?? 0
    let isNarrowed =
      entries[decision.origin]?.contains { entry in
        entry.decision.subject == decision.subject
          && decision.excusesLess(than: entry.decision)
      } ?? false
    entries[decision.origin]?.removeAll { $0.decision.subject == decision.subject }
    entries[decision.origin, default: []].append(
      SessionDecision(
        identifier: lastNumber, decision: decision, subjectName: trust.certificates.first?.subject ?? "",
        certificate: trust.presented.certificate, publicKey: trust.presented.publicKey,
        record: UseRecord(limits: limits, created: now)))
    count += (entries[decision.origin]?.count ?? 0) - before
    guard count > TrustStore.capacity else { return isNarrowed }
    removeLeastRecentlyUsed()
    return true
  }

  /// Keeps one of another store, under its number.
  mutating func takeOver(_ entry: SessionDecision) {
    entries[entry.decision.origin, default: []].append(entry)
    count += 1
    lastNumber = max(lastNumber, entry.identifier)
    if entry.record.limits != CredentialLimits() { hasLimits = true }
  }

  /// Lets these tasks continue with the origin under a decision of their own.
  ///
  /// - Returns: The grounds that no task has any more.
  @discardableResult
  package mutating func grant(
    _ decision: TrustDecision, limits: CredentialLimits = CredentialLimits(), now: Double = 0,
    to tasks: [TaskIdentifier]
  ) -> [ConnectionPartition.Ground] {
    grants.add(decision, limits: limits, now: now, for: tasks)
  }

  /// The same for the client certificate that is presented to the origin.
  package mutating func grant(
    _ decision: IdentityStore.Decision, for origin: Origin, to tasks: [TaskIdentifier]
  ) -> [ConnectionPartition.Ground] {
    grants.change(for: tasks, to: origin) { grant in
      grant.identities.removeAll { $0.request == decision.request }
      grant.identities.append(decision)
    }
  }

  /// A server refused the certificate that was decided for the tasks of this partition.
  package mutating func forgetGranted(_ request: CertificateRequest, in partition: ConnectionPartition) {
    grants.forget(request, in: partition)
  }

  /// The task has ended.
  ///
  /// - Returns: The grounds that no task has any more.
  package mutating func ended(_ task: TaskIdentifier) -> [ConnectionPartition.Ground] { grants.ended(task) }

  /// Removes decisions; nil stands for any.
  ///
  /// - Returns: How many; close the connections that depend on them.
  package mutating func remove(identifier: UInt64?, origin: Origin?) -> Int {
    let before = count
    for key in entries.keys where origin == nil || key == origin {
      entries[key]?.removeAll { identifier == nil || $0.identifier == identifier }
      if entries[key, default: []].isEmpty { entries[key] = nil }
    }
    count = entries.values.reduce(0) { $0 + $1.count }
    return before - count
  }

  /// Removes the decisions that their limits have ended.
  ///
  /// - Returns: Whether there were some; no later exchange may use a connection that depends on them.
  package mutating func removeExpired(now: Double, wallClock: Double) -> Bool {
    let isGrantOver = grants.removeExpired(now: now, wallClock: wallClock)
    guard hasLimits else { return isGrantOver }
    let over = entries.values.joined().filter { $0.record.isOver(now: now, wallClock: wallClock) }
    for entry in over { _ = remove(identifier: entry.identifier, origin: entry.decision.origin) }
    return isGrantOver || !over.isEmpty
  }

  /// Removes the decisions of which this is true.
  ///
  /// - Returns: How many.
  package mutating func remove(where isUnwanted: (TrustDecision) -> Bool) -> Int {
    let unwanted = all.filter { isUnwanted($0.decision) }
    for entry in unwanted { _ = remove(identifier: entry.identifier, origin: entry.decision.origin) }
    return unwanted.count
  }

  private mutating func removeLeastRecentlyUsed() {
    guard let oldest = all.min(on: \.record.touched) else {
      return
    }
    _ = remove(identifier: oldest.identifier, origin: oldest.decision.origin)
  }
}

/// A decision to accept a chain for an origin, with the faults that it excuses.
///
/// It covers exactly the certificates, or the key, and the faults that were shown: excusing an unknown issuer
/// does not excuse a later expiry (challenges.md 10.4).
package struct TrustDecision: Sendable, Equatable {
  /// What must be the same for the decision to apply.
  package enum Subject: Sendable, Hashable {
    /// The whole chain as it was presented.
    case certificate(Fingerprint)
    /// The key of the server's certificate, which may be renewed.
    case publicKey(Fingerprint)
  }

  package let origin: Origin
  package let subject: Subject
  package let excused: Set<TrustFault>

  package init(origin: Origin, subject: Subject, excused: Set<TrustFault>) {
    self.origin = origin
    self.subject = subject
    self.excused = excused
  }

  /// - Parameter scope: the part of the chain that is accepted; nil, for default handling, accepts it as it
  ///   is.
  package init(_ trust: ServerTrust, for origin: Origin, scope: TrustScope = .certificate) {
    let subject: Subject =
      switch scope {
      case .certificate: .certificate(trust.presented.chain)
      case .publicKey: .publicKey(trust.presented.publicKey)
      }
    self.init(origin: origin, subject: subject, excused: Set(trust.faults))
  }

  /// Whether a chain that the other decision accepts is refused under this one, which replaces it.
  func excusesLess(than other: TrustDecision) -> Bool { !excused.isSuperset(of: other.excused) }

  package func covers(_ presented: PresentedChain, from origin: Origin, with faults: [TrustFault]) -> Bool {
    guard origin == self.origin, excused.isSuperset(of: faults) else { return false }
    return switch subject {
    case .certificate(let chain): chain == presented.chain
    case .publicKey(let key): key == presented.publicKey
    }
  }
}
