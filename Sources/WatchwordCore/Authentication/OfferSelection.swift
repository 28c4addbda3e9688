package import WatchwordVocabulary

/// Decides which challenges of a response are offers, and in which order they are tried (challenges.md 6.3
/// and 6.4).
package enum OfferSelection {
  /// The methods that this version can answer; challenges of others are no offers, regardless of the policy.
  package static let supportedMethods: Set<AuthenticationMethod> = [
    .basic, .digest, .bearer, .negotiate, .ntlm,
  ]

  /// What one response offers.
  package struct Reading: Sendable, Equatable {
    /// Those that can be tried, the first one in front.
    package var offers: [Offer] = []
    /// The methods of challenges beyond the bounds, which were not read.
    package var unread: Set<AuthenticationMethod> = []
    /// The challenges that are no offers; a repetition is not among them.
    package var unusable = UnusableOffers()

    /// Whether the response has no challenge at all.
    var namesNothing: Bool { offers.isEmpty && unusable.count == 0 }

    package init() {}
  }

  /// The usable offers among the challenges in `fieldValues`.
  ///
  /// `fieldValues` are the values of all fields `WWW-Authenticate`, or all fields `Proxy-Authenticate`, of
  /// one response. An offer that equals an earlier one is dropped: it would ask the same question twice.
  package static func read(
    _ fieldValues: [OctetString], policy: MethodPolicy,
    supportedMethods: Set<AuthenticationMethod> = supportedMethods
  ) -> Reading {
    let usable = supportedMethods.subtracting(policy.disabled)
    let schemes = Offer.methods.filter { usable.contains($0.value) }
    let fields = ChallengeHeaderParser.read(fieldValues, of: Set(schemes.keys))
    var reading = Reading()
    reading.unread = Set(fields.unread.keys.compactMap { schemes[$0] })
    reading.unusable = fields.unusable
    reading.unusable.nameDisabled { Offer.methods[$0] != nil }
    var seen: Set<Saying> = []
    for (challenge, spelling) in zip(fields.challenges, fields.spellings) {
      switch Offer.read(challenge) {
      case .success(let offer):
        let saying = Saying(method: offer.authenticationMethod, parameters: offer.parameters)
        if seen.insert(saying).inserted { reading.offers.append(offer) }
      case .failure(let fault):
        reading.unusable.add(UnusableOffer(scheme: spelling, reason: fault.reason))
      }
    }
    reading.offers = sorted(reading.offers, by: policy.order)
    return reading
  }

  /// Everything that distinguishes one offer from another.
  private struct Saying: Hashable {
    let method: AuthenticationMethod
    let parameters: [AuthenticationParameter]
  }

  private static func sorted(_ offers: [Offer], by order: MethodPolicy.Order) -> [Offer] {
    switch order {
    case .server: offers
    case .list(let methods):
      offers.enumerated()
        .map { (rank: rank(of: $0.element, in: methods), index: $0.offset, offer: $0.element) }
        .sorted { ($0.rank.method, $0.rank.hash, $0.index) < ($1.rank.method, $1.rank.hash, $1.index) }
        .map(\.offer)
    }
  }

  /// Smaller is earlier. Methods that the list omits follow those it names, by strength: the list is an
  /// order, and `disabled` excludes methods.
  private static func rank(of offer: Offer, in methods: [AuthenticationMethod]) -> (method: Int, hash: Int) {
    let method = offer.authenticationMethod
    let place =
      methods.firstIndex(of: method)
      ?? methods.count + (MethodPolicy.defaultOrder.firstIndex(of: method) ?? MethodPolicy.defaultOrder.count)
    return (place, -(offer.digest?.algorithm.strength ?? 0))
  }
}

extension Offer {
  /// Why a challenge is no offer.
  struct NotAnOffer: Error {
    let reason: UnusableOffer.Reason
  }

  /// The offer in a challenge, or why it cannot be answered.
  ///
  /// Basic and Bearer need only their names: RFC 7617 requires the realm, but servers omit it and every
  /// client answers. A token68 is not valid in them and says nothing; a Digest challenge that has one lacks
  /// its parameters.
  static func read(_ challenge: RawChallenge) -> Result<Offer, NotAnOffer> {
    guard let method = Self.methods[challenge.scheme] else {
      return .failure(NotAnOffer(reason: .unknownMethod))
    }
    var digest: DigestChallenge?
    if method == .digest {
      switch DigestChallenge.read(challenge) {
      case .success(let usable): digest = usable
      case .failure(let fault): return .failure(fault)
      }
    }
    return .success(
      Offer(
        authenticationMethod: method, realm: challenge.value(of: "realm"), parameters: challenge.parameters,
        digest: digest, token: method.isConnectionBound ? challenge.token68 : nil))
  }

  fileprivate static let methods: [String: AuthenticationMethod] = [
    "basic": .basic, "digest": .digest, "bearer": .bearer, "negotiate": .negotiate, "ntlm": .ntlm,
  ]
}
