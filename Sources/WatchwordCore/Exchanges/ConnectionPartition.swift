/// Connections of one session that may serve the same exchanges; those of two partitions are never exchanged.
///
/// A connection rests on what was decided when it was opened (challenges.md 10.7), so that is part of the key under which it
/// may be used again.
package struct ConnectionPartition: Sendable, Hashable {
  package enum Ground: Sendable, Hashable {
    /// Default evaluation or a decision of the session.
    case common
    /// A decision of the session: for tasks whose delegates want to see every chain.
    case decided
    /// A decision for some tasks only; its connections are closed when these have ended.
    case grant(UInt64)
  }

  package let ground: Ground
  /// Whether the origin asks for a client certificate and somebody takes the question which. Where nobody does, default
  /// handling has presented one or none, which is no answer for those who do.
  package var isAskedForIdentities = false

  package init(_ ground: Ground, isAskedForIdentities: Bool = false) {
    self.ground = ground
    self.isAskedForIdentities = isAskedForIdentities
  }

  package static let common = ConnectionPartition(.common)
  package static let decided = ConnectionPartition(.decided)
  package static func grant(_ number: UInt64) -> ConnectionPartition { ConnectionPartition(.grant(number)) }
}
