package import WatchwordVocabulary

/// One challenge of a response that can be answered.
package struct Offer: Sendable, Equatable {
  package let authenticationMethod: AuthenticationMethod
  package let realm: OctetString?
  /// Every raw parameter of the server, for the caller to read.
  package let parameters: [AuthenticationParameter]
  /// The parsed Digest challenge; non-nil exactly when the method is `digest`.
  package let digest: DigestChallenge?
  /// The server's token, in base64; only of `negotiate` and `ntlm`.
  package let token: String?
  /// The form of a login page; non-nil exactly when the method is `htmlForm`.
  package let form: LoginForm?

  package init(
    authenticationMethod: AuthenticationMethod, realm: OctetString?, parameters: [AuthenticationParameter],
    digest: DigestChallenge? = nil, token: String? = nil, form: LoginForm? = nil
  ) {
    self.authenticationMethod = authenticationMethod
    self.realm = realm
    self.parameters = parameters
    self.digest = digest
    self.token = token
    self.form = form
  }

  /// What a SOCKS5 proxy asks for when it wants a user and a password (RFC 1929): it has no realm and no
  /// parameters.
  static let passwordOfSOCKS = Offer(authenticationMethod: .basic, realm: nil, parameters: [])

  /// `charset=UTF-8`, the only charset that RFC 7616 and RFC 7617 define.
  package var isUTF8: Bool {
    parameters.contains { $0.name == "charset" && $0.value.text.asciiLowercased == "utf-8" }
  }

  package func protectionSpace(of origin: Origin, proxyType: ProxyType? = nil) -> ProtectionSpace {
    ProtectionSpace(
      origin: origin, realm: realm, authenticationMethod: authenticationMethod, proxyType: proxyType)
  }
}

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

/// The strongest offer that a session has seen from each realm, to detect a weaker one.
///
/// An attacker on the path can remove the strong offers from a response, so that the client answers with a
/// password that the attacker can read.
package struct OfferHistory: Sendable {
  /// Enough for every origin that a host's scripts talk to; further origins are not remembered.
  private static let originCapacity = 4096
  /// Realms per origin: the server names them, so their number is bounded.
  private static let realmCapacity = 16
  /// Longest remembered realm, in bytes: the server chooses it, and it may be as long as a header block.
  private static let realmBytes = 1024

  private struct SeenStrengths: Sendable {
    var strongest: OfferStrength
    /// The weakest offer reported since.
    var reported: OfferStrength?
  }

  /// Under `nil`: the offers of the origin without a realm, or all its offers when only the strongest count.
  private var entries: [Server: [OctetString?: SeenStrengths]] = [:]

  /// A proxy is another server than the origin of the same host and port.
  private struct Server: Hashable, Sendable {
    let origin: Origin
    let hop: Hop
  }

  /// What the last refusal of a server named that cannot be answered, for `explain`.
  private var unusable: [Server: UnusableOffers] = [:]
  private static let unusableCapacity = 256

  package init() {}

  mutating func note(_ offers: UnusableOffers, from origin: Origin, at hop: Hop) {
    let server = Server(origin: origin, hop: hop)
    guard offers.count > 0 else {
      unusable[server] = nil
      return
    }
    if unusable[server] != nil || unusable.count < Self.unusableCapacity { unusable[server] = offers }
  }

  package func unusableOffers(of origin: Origin, at hop: Hop = .origin) -> UnusableOffers {
    unusable[Server(origin: origin, hop: hop)] ?? UnusableOffers()
  }

  /// Records the offers of one response.
  ///
  /// - Parameters:
  ///   - unread: the methods of challenges beyond the bounds. When only the strongest offers count, they do,
  ///     too: a response may not be filled up to hide one.
  ///   - strongestOnly: keeps only the strongest offers, and none weaker than what the origin offered before.
  ///     The realm is then ignored: an attacker who removes offers can also change the realm.
  /// - Returns: the offers that remain, and what was weaker than before.
  package mutating func note(
    _ offers: [Offer], unread: Set<AuthenticationMethod> = [], from origin: Origin, at hop: Hop = .origin,
    strongestOnly: Bool
  ) -> (allowed: [Offer], weaker: WeakerOffer?) {
    var best: [OctetString?: OfferStrength] = [:]
    for offer in offers {
      let realm = strongestOnly ? nil : offer.realm
      best[realm] = max(OfferStrength(offer), best[realm] ?? OfferStrength(offer))
    }
    if strongestOnly, let hidden = unread.map(OfferStrength.init(unread:)).max() {
      best[nil] = max(hidden, best[nil] ?? hidden)
    }
    let weaker = best.compactMap { realm, offered in note(offered, realm, Server(origin: origin, hop: hop)) }
      .max { $0.previous < $1.previous }
    guard strongestOnly, let known = weaker?.previous ?? best.values.first else { return (offers, weaker) }
    return (offers.filter { OfferStrength($0) >= known }, weaker)
  }

  private mutating func note(
    _ offered: OfferStrength, _ realm: OctetString?, _ server: Server
  ) -> WeakerOffer? {
    let realms = entries[server] ?? [:]
    guard let known = realms[realm] else {
      let hasRoom =
        realms.isEmpty
        ? entries.count < OfferHistory.originCapacity : realms.count < OfferHistory.realmCapacity
      guard realm?.count ?? 0 <= OfferHistory.realmBytes else { return nil }
      if hasRoom { entries[server, default: [:]][realm] = SeenStrengths(strongest: offered) }
      return nil
    }
    guard offered < known.strongest else {
      entries[server]?[realm] = SeenStrengths(strongest: offered)
      return nil
    }
    let isNews = known.reported.map { offered < $0 } ?? true
    if isNews { entries[server]?[realm]?.reported = offered }
    return WeakerOffer(origin: server.origin, previous: known.strongest, offered: offered, isNews: isNews)
  }
}
