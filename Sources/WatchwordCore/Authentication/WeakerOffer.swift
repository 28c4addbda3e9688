package import WatchwordVocabulary

/// A server, or an attacker on the path, offers less than before (challenges.md 6.5).
package struct WeakerOffer: Sendable, Equatable {
  package let origin: Origin
  package let previous: OfferStrength
  package let offered: OfferStrength
  /// False when the same was reported before, so that one server cannot fill a log.
  package let isNews: Bool
}
