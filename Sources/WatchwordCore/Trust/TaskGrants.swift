package import WatchwordVocabulary

/// Decisions for some tasks only (persistence `none`): their connections are a partition of their own, which ends
/// with the last of these tasks.
package struct TaskGrants: Sendable {
  package struct Grant: Sendable {
    package internal(set) var trust: TrustDecision?
    package internal(set) var identities: [IdentityStore.Decision] = []
    fileprivate var tasks: Set<TaskIdentifier> = []
  }

  private var grants: [UInt64: Grant] = [:]
  private var numbers: [TaskIdentifier: [Origin: UInt64]] = [:]
  private var lastNumber: UInt64 = 0

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

  /// Adds a decision for these tasks. Earlier decisions for them still apply.
  ///
  /// - Returns: The grounds that no task has any more: no connection outlives the decision that it depends on.
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
    (numbers.removeValue(forKey: task)?.values).map { $0.flatMap { leave($0, task) } } ?? []
  }

  private mutating func leave(_ number: UInt64, _ task: TaskIdentifier) -> [ConnectionPartition.Ground] {
    grants[number]?.tasks.remove(task)
    guard grants[number]?.tasks.isEmpty ?? false else { return [] }
    grants[number] = nil
    return [.grant(number)]
  }
}
