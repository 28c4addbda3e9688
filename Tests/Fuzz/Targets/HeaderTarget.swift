internal import WatchwordCore
internal import WatchwordVocabulary

/// The challenge fields of one response, a field a line: to challenges, to offers, to an answer.
enum HeaderTarget {
  private static let password = Secret("open sesame".utf8)

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let fields = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { OctetString(octets: $0) }
    let challenges = ChallengeHeaderParser.parse(fields)
    require(challenges.count <= input.count, "more challenges than bytes")
    for challenge in challenges {
      check(challenge)
      answer(challenge)
    }
    let policy = MethodPolicy()
    let methods = OfferSelection.supportedMethods.subtracting(policy.disabled)
    // Challenges of other methods do not count for the bound (challenges.md 6.2): it may leave these out of `challenges`.
    let usable = ChallengeHeaderParser.read(fields, of: Set(methods.map(\.rawValue))).challenges
    let offers = OfferSelection.read(fields, policy: policy).offers
    require(offers.count <= usable.count, "an offer that no challenge made")
  }

  private static func check(_ challenge: RawChallenge) {
    require(!challenge.scheme.isEmpty, "a challenge without a scheme")
    require(challenge.scheme == challenge.scheme.lowercased(), "a scheme that is not in lower case")
    let names = challenge.parameters.map(\.name)
    require(Set(names).count == names.count, "a parameter twice")
    for parameter in challenge.parameters {
      require(!parameter.name.isEmpty, "a parameter without a name")
    }
  }

  private static func answer(_ challenge: RawChallenge) {
    guard let digest = DigestChallenge(challenge) else { return }
    _ = DigestAuthenticator(challenge: digest, user: "reader", password: password)
  }
}
