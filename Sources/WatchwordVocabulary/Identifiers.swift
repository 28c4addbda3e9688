/// One fetch of a session, as the board knows it.
package struct TaskIdentifier: Hashable, Sendable {
  /// Rises with every task of the daemon.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  // Inlinable, because every event of a task looks it up.
  @inlinable package static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// One connection to the daemon, for the daemon's life.
package struct PeerIdentifier: Hashable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

/// The process that made a connection, for the daemon's life.
///
/// Pids are reused: a process is its pid with the time of its start. Without both, a connection equals only
/// itself, since a stranger may be behind every other one.
package struct ProcessIdentifier: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    /// In the kernel's ticks since it booted.
    case started(at: UInt64)
    case connection(PeerIdentifier)
  }

  /// Nil for a process that the daemon's pid namespace does not show.
  package let pid: Int32?
  private let identity: Identity

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    identity = .started(at: startTime)
  }

  /// - Parameter pid: for display.
  package init(unknownBehind peer: PeerIdentifier, pid: Int32? = nil) {
    self.pid = pid
    identity = .connection(peer)
  }
}

/// One restriction of callers, for the daemon's life.
package struct RestrictionIdentifier: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  /// As status and history show it.
  package var description: String { "r\(number)" }
}
