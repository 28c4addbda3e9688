package import WatchwordVocabulary

/// Decides which challenges of a response are offers, and in which order they are tried (challenges.md 6.3 and 6.4).
package enum OfferSelection {
  /// The methods that this version can answer; challenges of others are no offers, regardless of the policy.
  package static let supportedMethods: Set<AuthenticationMethod> = [
    .basic, .digest, .bearer, .negotiate, .ntlm,
  ]

  /// The usable offers among the challenges in `fieldValues`, the first to try in front.
  ///
  /// `fieldValues` are the values of all fields `WWW-Authenticate`, or all fields `Proxy-Authenticate`, of one
  /// response. An offer that equals an earlier one is dropped: it would ask the same question twice.
  package static func offers(
    in fieldValues: [OctetString], policy: MethodPolicy,
    supportedMethods: Set<AuthenticationMethod> = supportedMethods
  ) -> [Offer] {
    var offers: [Offer] = []
    var seen: Set<Saying> = []
    for challenge in ChallengeHeaderParser.parse(fieldValues) {
      guard let offer = Offer(challenge), supportedMethods.contains(offer.authenticationMethod),
        !policy.disabled.contains(offer.authenticationMethod),
        seen.insert(Saying(method: offer.authenticationMethod, parameters: offer.parameters)).inserted
      else { continue }
      offers.append(offer)
    }
    return sorted(offers, by: policy.order)
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

  /// Smaller is earlier. Methods that the list omits follow those it names, by strength: the list is an order, and
  /// `disabled` excludes methods.
  private static func rank(of offer: Offer, in methods: [AuthenticationMethod]) -> (method: Int, hash: Int) {
    let method = offer.authenticationMethod
    let place =
      methods.firstIndex(of: method)
      ?? methods.count + (MethodPolicy.defaultOrder.firstIndex(of: method) ?? MethodPolicy.defaultOrder.count)
    return (place, -(offer.digest?.algorithm.strength ?? 0))
  }
}

extension Offer {
  /// The offer in a challenge; nil when it cannot be answered.
  ///
  /// A Basic challenge without realm is one: RFC 7617 requires the realm, but servers omit it and every client
  /// answers. A token68 is not valid in Basic, Digest and Bearer.
  package init?(_ challenge: RawChallenge) {
    guard let method = Self.methods[challenge.scheme] else { return nil }
    var digest: DigestChallenge?
    switch method {
    case .basic, .bearer:
      guard challenge.token68 == nil else { return nil }
    case .digest:
      guard let usable = DigestChallenge(challenge) else { return nil }
      digest = usable
    case .negotiate, .ntlm: break
    case .htmlForm, .serverTrust, .clientCertificate, .agentUnlock: return nil
    }
    self.init(
      authenticationMethod: method, realm: challenge.value(of: "realm"), parameters: challenge.parameters,
      digest: digest, token: method.isConnectionBound ? challenge.token68 : nil)
  }

  private static let methods: [String: AuthenticationMethod] = [
    "basic": .basic, "digest": .digest, "bearer": .bearer, "negotiate": .negotiate, "ntlm": .ntlm,
  ]
}
