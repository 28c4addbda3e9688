package import WatchwordVocabulary

/// How well an offer protects a password; greater is stronger (challenges.md 6.4).
package struct OfferStrength: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let authenticationMethod: AuthenticationMethod
  /// Non-nil only for Digest.
  package let algorithm: DigestAlgorithm?

  package init(_ offer: Offer) {
    authenticationMethod = offer.authenticationMethod
    algorithm = offer.digest?.algorithm
  }

  /// What an offer of this method may be that was not read: the strongest one of the method.
  package init(unread method: AuthenticationMethod) {
    authenticationMethod = method
    algorithm = method == .digest ? .sha512256 : nil
  }

  package static func < (left: OfferStrength, right: OfferStrength) -> Bool { left.rank < right.rank }

  /// `digest SHA-256`, `basic`.
  package var description: String {
    ([authenticationMethod.rawValue] + (algorithm.map { [$0.rawValue] } ?? [])).joined(separator: " ")
  }

  private var rank: (method: Int, hash: Int) {
    let weakness = MethodPolicy.defaultOrder.firstIndex(of: authenticationMethod)
    return (-(weakness ?? MethodPolicy.defaultOrder.count), algorithm?.strength ?? 0)
  }
}
