import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct OfferSelectionTests {
  private func methods(
    _ fields: [String], _ change: (inout MethodPolicy) -> Void = { _ in },
    supported: Set<AuthenticationMethod> = OfferSelection.supportedMethods
  ) -> [String] {
    var policy = MethodPolicy()
    change(&policy)
    return OfferSelection.offers(
      in: fields.map { OctetString($0) }, policy: policy, supportedMethods: supported
    ).map { offer in
      offer.digest.map { "digest:\($0.algorithm.rawValue)" } ?? offer.authenticationMethod.rawValue
    }
  }

  private func digest(_ parameters: String) -> DigestChallenge? {
    OfferSelection.offers(in: ["Digest " + parameters], policy: MethodPolicy()).first?.digest
  }

  private let all = [
    #"Basic realm="r", NTLM, Digest realm="r", nonce="1", algorithm=MD5, qop="auth""#,
    #"Digest realm="r", nonce="1", algorithm=SHA-512-256, qop="auth", Bearer realm="r", Unheard of=x"#,
    #"Negotiate, Digest realm="r", nonce="1", algorithm=SHA-256, qop="auth""#,
  ]

  @Test func strongestComesFirst() {
    #expect(
      methods(all) == [
        "negotiate", "bearer", "digest:SHA-512-256", "digest:SHA-256", "digest:MD5", "basic",
      ])
  }

  @Test func serverOrderIsTheServersOwn() {
    #expect(
      methods(all) { $0.order = .server } == [
        "basic", "digest:MD5", "digest:SHA-512-256", "bearer", "negotiate", "digest:SHA-256",
      ])
  }

  @Test func listOfTheSessionComesBeforeWhatItLeavesOut() {
    #expect(
      methods(all) { $0.order = .list([.basic]) } == [
        "basic", "negotiate", "bearer", "digest:SHA-512-256", "digest:SHA-256", "digest:MD5",
      ])
  }

  @Test func disabledMethodsAreNoOffers() {
    #expect(methods(all) { $0.disabled = [.digest, .bearer, .negotiate, .ntlm] } == ["basic"])
  }

  @Test func methodsBeyondThisVersionAreNoOffers() {
    let everything = Set(AuthenticationMethod.allCases)
    #expect(methods(["ServerTrust x", "htmlForm a=b"]).isEmpty)
    #expect(methods(["NTLM", "Negotiate"], supported: [.ntlm]).isEmpty)
    #expect(methods(["NTLM", "Negotiate"], supported: everything) == ["negotiate"])
    #expect(
      methods(["NTLM", "Negotiate"], { $0.disabled = [] }, supported: everything) == ["negotiate", "ntlm"])
  }

  @Test func orderOfTheServerDecidesAmongEquals() {
    let fields = [#"Digest realm="first", nonce="1""#, #"Digest realm="second", nonce="2""#]
    let offers = OfferSelection.offers(in: fields, policy: MethodPolicy())
    #expect(offers.map(\.realm) == ["first", "second"])
  }

  @Test func sameOfferTwiceIsOne() {
    #expect(methods(Array(repeating: #"Digest realm="r", nonce="1""#, count: 3)) == ["digest:MD5"])
  }

  @Test func laterChallengeDoesNotOverwriteTheRealmOfTheFirst() {
    let offers = OfferSelection.offers(
      in: [#"Digest realm="protected", nonce="n", qop="auth", Basic realm="other""#], policy: MethodPolicy())
    #expect(offers.map(\.realm) == ["protected", "other"])
  }

  @Test func unknownAlgorithmIsPassedOver() {
    let fields = [
      #"Digest realm="r", nonce="0", qop="auth", algorithm=FAKE"#,
      #"Digest realm="r", nonce="real", qop="auth", algorithm=MD5"#,
    ]
    let offers = OfferSelection.offers(in: fields, policy: MethodPolicy())
    #expect(offers.map(\.digest?.nonce) == ["real"])
  }

  @Test(arguments: [
    "", #"realm="r""#, #"nonce="n""#, #"realm="r", nonce="""#, #"realm="r", nonce="n", algorithm=MD4"#,
    #"realm="r", nonce="n", algorithm="""#, #"realm="r", nonce="n", qop="mutual""#,
    #"realm="r", nonce="n", algorithm=MD5-sess, qop="""#, #"realm="r", nonce="n", algorithm=MD5-sess"#,
    "abc=",
  ])
  func unusableDigestIsNoOffer(parameters: String) {
    #expect(digest(parameters) == nil)
  }

  @Test func nonceIsBounded() {
    let longest = String(repeating: "n", count: DigestChallenge.maximumNonceBytes)
    #expect(digest("realm=r, nonce=\(longest)")?.nonce.text == longest)
    #expect(digest("realm=r, nonce=\(longest)n") == nil)
  }

  @Test func schemeThatOnlyBeginsWithDigestIsNotDigest() {
    #expect(methods([#"Digestive realm="r", nonce="abc""#]).isEmpty)
  }

  @Test func anEmptyQopIsNone() {
    #expect(digest(#"realm="r", nonce="n", qop="""#)?.qualityOfProtection == [])
  }

  /// Basic and Bearer need no parameters; two that name none are the same offer.
  @Test func tokenInPlaceOfParametersIsNoDigest() {
    #expect(methods(["Basic abc=", "Bearer abc", "Digest abc", "Basic realm="]) == ["bearer", "basic"])
  }

  @Test func basicAndBearerNeedNoParameters() {
    #expect(methods(["Basic", "Bearer"]) == ["bearer", "basic"])
  }

  @Test func everyParameterOfADigestChallengeIsRead() {
    let challenge = digest(
      #"""
      REALM="r", Nonce="n", opaque="o", algorithm=sha-256-SESS, qop="Crazy,auth-int , AUTH", stale=TRUE, \#
      domain="/a  https://h/b", userhash=True, charset="utf-8", more=1
      """#)
    #expect(
      challenge
        == DigestChallenge(
          realm: "r", nonce: "n", opaque: "o", algorithm: .sha256Session, algorithmToken: "sha-256-SESS",
          qualityOfProtection: [.authInt, .auth], isStale: true, domain: ["/a", "https://h/b"],
          userhash: true,
          isUTF8: true))
  }

  @Test func challengeOfRFC2069HasNoQualityAndIsMD5() {
    let challenge = digest(#"realm="r", nonce="n", stale=no, userhash=1, charset=latin1"#)
    #expect(challenge == DigestChallenge(realm: "r", nonce: "n", qualityOfProtection: []))
  }

  @Test func offerShowsEveryParameterAsSent() {
    let offer = OfferSelection.offers(in: ["Bearer Scope=\"a b\", error=x"], policy: MethodPolicy()).first
    #expect(
      offer?.parameters == [AuthenticationParameter("scope", "a b"), AuthenticationParameter("error", "x")])
    #expect(offer?.realm == nil)
  }
}
