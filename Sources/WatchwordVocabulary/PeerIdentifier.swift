/// One connection to the daemon, for the daemon's life.
package struct PeerIdentifier: Hashable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}
