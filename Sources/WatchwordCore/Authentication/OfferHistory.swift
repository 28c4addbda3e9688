/// The strongest offer that a session has seen from each realm, so that a weaker one is noticed.
///
/// Somebody between us and the server can take the strong offers out of a response; what is left would then
/// be answered with a password that he can read.
package struct OfferHistory: Sendable {
  /// Enough for every origin a host's scripts talk to; of those beyond it nothing is remembered.
  private static let originCapacity = 4096
  /// Realms of one origin: the server's to name, so bounded.
  private static let realmCapacity = 16
  /// Bytes of a realm that is remembered: it is the server's to choose, and as long as a header block.
  private static let realmBytes = 1024

  private struct Entry: Sendable {
    var strongest: OfferStrength
    /// The weakest that has been reported since.
    var reported: OfferStrength?
  }

  /// Under `nil` what the origin offered without naming a realm, or, when only the strongest counts, at all.
  private var entries: [Origin: [OctetString?: Entry]] = [:]

  package init() {}

  /// Takes note of the offers of one response.
  ///
  /// - Parameter strongestOnly: leaves only the strongest offers, and none weaker than what the origin offered
  ///   before. The realm does not count then: whoever takes offers out can name another realm as well.
  /// - Returns: the offers that count, and what was weaker than before.
  package mutating func note(
    _ offers: [Offer], from origin: Origin, strongestOnly: Bool
  ) -> (allowed: [Offer], weaker: WeakerOffer?) {
    var best: [OctetString?: OfferStrength] = [:]
    for offer in offers {
      let realm = strongestOnly ? nil : offer.realm
      best[realm] = max(OfferStrength(offer), best[realm] ?? OfferStrength(offer))
    }
    let weaker = best.compactMap { realm, offered in note(offered, realm, origin) }
      .max { $0.previous < $1.previous }
    guard strongestOnly, let known = weaker?.previous ?? best.values.first else { return (offers, weaker) }
    return (offers.filter { OfferStrength($0) >= known }, weaker)
  }

  private mutating func note(
    _ offered: OfferStrength, _ realm: OctetString?, _ origin: Origin
  ) -> WeakerOffer? {
    let realms = entries[origin] ?? [:]
    guard let known = realms[realm] else {
      let hasRoom =
        realms.isEmpty
        ? entries.count < OfferHistory.originCapacity : realms.count < OfferHistory.realmCapacity
      guard realm?.count ?? 0 <= OfferHistory.realmBytes else { return nil }
      if hasRoom { entries[origin, default: [:]][realm] = Entry(strongest: offered) }
      return nil
    }
    guard offered < known.strongest else {
      entries[origin]?[realm] = Entry(strongest: offered)
      return nil
    }
    let isNews = known.reported.map { offered < $0 } ?? true
    if isNews { entries[origin]?[realm]?.reported = offered }
    return WeakerOffer(origin: origin, previous: known.strongest, offered: offered, isNews: isNews)
  }
}
