/// Connections of one session that may serve the same exchanges; partitions never share a connection.
///
/// A connection depends on the decisions under which it was opened (challenges.md 10.7), so these are part of the key
/// for its reuse.
package struct ConnectionPartition: Sendable, Hashable {
  package enum Ground: Sendable, Hashable {
    /// Default evaluation or a decision of the session.
    case common
    /// A decision of the session: for tasks whose delegates take every chain.
    case decided
    /// A decision for some tasks only; its connections are closed when these tasks have ended.
    case grant(UInt64)
  }

  package let ground: Ground
  /// Whether the origin requests a client certificate and a delegate takes that question. Without a delegate, default
  /// handling has presented one or none, which is no answer for tasks that have one.
  package var isAskedForIdentities = false

  /// The one connection of a connection-bound credential; nil: connections without one.
  package var bound: UInt64?

  package init(_ ground: Ground, isAskedForIdentities: Bool = false) {
    self.ground = ground
    self.isAskedForIdentities = isAskedForIdentities
  }

  package static let common = ConnectionPartition(.common)
  package static let decided = ConnectionPartition(.decided)
  package static func grant(_ number: UInt64) -> ConnectionPartition { ConnectionPartition(.grant(number)) }
}
