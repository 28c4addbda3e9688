/// A server, or somebody in its place, offers less than it did before (challenges.md 6.5).
package struct WeakerOffer: Sendable, Equatable {
  package let origin: Origin
  package let previous: OfferStrength
  package let offered: OfferStrength
  /// False when the same was seen here before, so that a log is not filled by a server that keeps at it.
  package let isNews: Bool
}
