/// One fetch of a session, as the board knows it.
package struct TaskIdentifier: Hashable, Sendable {
  /// Rises with every task of the daemon.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  // Inlinable, because every event of a task looks it up.
  @inlinable package static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
