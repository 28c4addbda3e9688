/// One fetch of a session, as the board knows it.
package struct TaskIdentifier: Hashable, Sendable {
  /// Rises with every task of the daemon.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}
