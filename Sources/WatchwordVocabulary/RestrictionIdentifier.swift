/// One restriction of callers, for the daemon's life.
package struct RestrictionIdentifier: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  /// As status and history show it.
  package var description: String { "r\(number)" }
}
