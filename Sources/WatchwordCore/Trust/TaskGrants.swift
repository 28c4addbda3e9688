package import WatchwordVocabulary

/// Decisions for some tasks only (persistence `none`): their connections are a partition of their own, which
/// ends with the last of these tasks.
package struct TaskGrants: Sendable {
  package struct Grant: Sendable {
    package fileprivate(set) var trust: TrustDecision?
    /// The limits and uses of this decision.
    fileprivate var record = UseRecord(created: 0)
    package internal(set) var identities: [IdentityStore.Decision] = []
    fileprivate var tasks: Set<TaskIdentifier> = []
  }

  private var grants: [UInt64: Grant] = [:]
  private var numbers: [TaskIdentifier: [Origin: UInt64]] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether a decision has had limits: nearly none has.
  private var hasLimits = false

  /// Nil when there is no decision for this task and origin alone.
  package func partition(of task: TaskIdentifier, to origin: Origin) -> ConnectionPartition? {
    numbers[task]?[origin].map(ConnectionPartition.grant)
  }

  package func grant(of partition: ConnectionPartition) -> Grant? {
    switch partition.ground {
    case .common, .decided: nil
    case .grant(let number): grants[number]
    }
  }

  /// Whether some task may still present this identity.
  package func mentions(identity identifier: String) -> Bool {
    grants.values.contains { $0.identities.contains { $0.choice == .identity(identifier) } }
  }

  /// Whether the decision of this partition excuses the chain, which is a use of it.
  mutating func covers(
    _ presented: PresentedChain, from origin: Origin, with faults: [TrustFault],
    in partition: ConnectionPartition,
    now: Double
  ) -> Bool {
    guard case .grant(let number) = partition.ground,
      grants[number]?.trust?.covers(presented, from: origin, with: faults) ?? false
    else { return false }
    grants[number]?.record.noteUse(now: now)
    return true
  }

  /// Adds a decision about a chain for these tasks, in place of an earlier one.
  mutating func add(
    _ decision: TrustDecision, limits: CredentialLimits, now: Double, for tasks: [TaskIdentifier]
  ) -> [ConnectionPartition.Ground] {
    if limits != CredentialLimits() { hasLimits = true }
    return change(for: tasks, to: decision.origin) { grant in
      grant.trust = decision
      grant.record = UseRecord(limits: limits, created: now)
    }
  }

  /// Removes the decisions about chains that their limits have ended; whether there were some.
  mutating func removeExpired(now: Double, wallClock: Double) -> Bool {
    guard hasLimits else { return false }
    let over = grants.filter {
      $0.value.trust != nil && $0.value.record.isOver(now: now, wallClock: wallClock)
    }
    for number in over.keys { grants[number]?.trust = nil }
    return !over.isEmpty
  }

  /// Adds a decision for these tasks. Earlier decisions for them still apply.
  ///
  /// - Returns: The grounds that no task has any more: no connection outlives the decision that it depends
  ///   on.
  mutating func change(
    for tasks: [TaskIdentifier], to origin: Origin, _ change: (inout Grant) -> Void
  ) -> [ConnectionPartition.Ground] {
    var left: [ConnectionPartition.Ground] = []
    for (before, tasks) in Dictionary(grouping: tasks, by: { numbers[$0]?[origin] }) {
      var grant = before.flatMap { grants[$0] } ?? Grant()
      change(&grant)
      grant.tasks = Set(tasks)
      lastNumber += 1
      grants[lastNumber] = grant
      for task in tasks {
        numbers[task, default: [:]][origin] = lastNumber
        if let before { left += leave(before, task) }
      }
    }
    return left
  }

  mutating func forget(_ request: CertificateRequest, in partition: ConnectionPartition) {
    guard case .grant(let number) = partition.ground else { return }
    grants[number]?.identities.removeAll { $0.request == request }
  }

  mutating func ended(_ task: TaskIdentifier) -> [ConnectionPartition.Ground] {
    guard !numbers.isEmpty, let left = numbers.removeValue(forKey: task) else { return [] }
    return left.values.flatMap { leave($0, task) }
  }

  private mutating func leave(_ number: UInt64, _ task: TaskIdentifier) -> [ConnectionPartition.Ground] {
    grants[number]?.tasks.remove(task)
    guard grants[number]?.tasks.isEmpty == true else { return [] }
    grants[number] = nil
    return [.grant(number)]
  }
}
