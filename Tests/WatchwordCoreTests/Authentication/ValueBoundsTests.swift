import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The longest and the most of what is read, sent and remembered (methods.md 8, challenges.md 6).
struct ValueBoundsTests {
  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  private func fault(
    _ kind: Credential.Kind, _ method: AuthenticationMethod = .basic, at proxyType: ProxyType? = nil
  ) -> CredentialFault? {
    let space = ProtectionSpace(
      origin: TaskScene.origin, realm: nil, authenticationMethod: method, proxyType: proxyType)
    return CredentialCheck.fault(of: Credential(kind), for: space)
  }

  /// SOCKS has one byte for the length of each (RFC 1929 §2).
  @Test(
    arguments: [
      (nil, CredentialCheck.maximumPasswordBytes), (.http, CredentialCheck.maximumPasswordBytes),
      (.https, CredentialCheck.maximumPasswordBytes), (.socks5, 255), (.socks4, 255),
    ] as [(ProxyType?, Int)])
  func namesAndPasswordsHaveALongestLength(proxyType: ProxyType?, longest: Int) {
    for (user, password, expected) in [
      (longest, 1, nil), (1, longest, nil), (longest + 1, 1, .tooLong), (1, longest + 1, .tooLong),
    ] as [(Int, Int, CredentialFault?)] {
      let kind = Credential.Kind.password(
        user: Self.text(user), password: TaskScene.secret(Self.text(password)))
      #expect(fault(kind, at: proxyType) == expected)
    }
  }

  @Test(arguments: [AuthenticationMethod.bearer, .key]) func tokensHaveALongestLength(
    _ method: AuthenticationMethod
  ) {
    let longest = CredentialCheck.maximumTokenBytes
    #expect(fault(.token(TaskScene.secret(Self.text(longest))), method) == nil)
    #expect(fault(.token(TaskScene.secret(Self.text(longest + 1))), method) == .tooLong)
  }

  /// A server that states its charset takes no other octets (RFC 7617 §2.1).
  @Test(arguments: [
    ("charset", "UTF-8", AuthenticationMethod.basic, true), ("charset", "utf-8", .basic, true),
    ("charset", "latin1", .basic, false), ("encoding", "UTF-8", .basic, false),
    ("charset", "UTF-8", .digest, false),
  ]) func octetsThatAreNoUTF8AreRefusedWhereTheServerSaysSo(
    name: String, value: String, method: AuthenticationMethod, isRefused: Bool
  ) {
    let offers = [
      Offer(authenticationMethod: .bearer, realm: nil, parameters: []),
      Offer(
        authenticationMethod: method, realm: nil,
        parameters: [AuthenticationParameter(name, OctetString(value))]),
    ]
    let space = TaskScene.space()
    for (octets, fault) in [([0xFF], isRefused ? .notUTF8 : nil), ([0x41], nil)]
      as [([UInt8], CredentialFault?)]
    {
      let credential = Credential(.password(user: "joe", password: Secret(octets)))
      #expect(CredentialCheck.fault(ofReply: credential, for: space, offers: offers) == fault)
    }
  }

  @Test func aNextNonceHasALongestLength() {
    for (count, isTaken) in [(0, false), (1, true), (2048, true), (2049, false)] {
      let nonce = Self.text(count)
      let information = AuthenticationInfo([OctetString("nextnonce=\"\(nonce)\", nc=1")])
      #expect(information != nil && (information?.nextNonce != nil) == isTaken)
    }
  }

  @Test func anInformationHasOnlySoManyParameters() {
    for (count, isRead) in [(16, true), (17, false)] {
      let field = (0..<count).map { "p\($0)=v" }.joined(separator: ", ")
      #expect((AuthenticationInfo([OctetString(field)]) != nil) == isRead)
    }
    #expect(AuthenticationInfo(["a=1, A=2"]) == nil)
  }

  /// Only a proof over the body needs it (RFC 7616 §3.5).
  @Test(arguments: [
    (DigestQualityOfProtection.authInt, "rspauth=\"a\"", true),
    (.authInt, "rspauth=\"a\", qop=auth-int", true), (.authInt, "rspauth=\"a\", qop=auth", false),
    (.authInt, "nc=00000001", false), (.auth, "rspauth=\"a\"", false),
    (.auth, "rspauth=\"a\", qop=auth-int", false),
  ]) func aProofNeedsTheBodyOnlyWithItsHash(
    quality: DigestQualityOfProtection, field: String, needsBody: Bool
  )
    throws
  {
    let challenge = DigestChallenge(realm: "r", nonce: "n", qualityOfProtection: [quality])
    var digest = try #require(
      DigestAuthenticator(challenge: challenge, user: "joe", password: TaskScene.secret("x")))
    let ticket = try digest.authorization(method: "GET", target: "/", clientNonce: "c").ticket
    let information = try #require(AuthenticationInfo([OctetString(field)]))
    #expect(ticket.needsBody(for: information) == needsBody)
  }

  @Test func fieldsAndPrefixesOfKeysHaveALongestLength() {
    #expect(KeyField.isAllowed(Self.text(128)) && !KeyField.isAllowed(Self.text(129)))
    #expect(KeyField.isPrefix(Self.text(128)) && !KeyField.isPrefix(Self.text(129)))
    #expect(KeyField.isPrefix("a b ") && !KeyField.isPrefix(" a") && KeyField.isPrefix(""))
    #expect(KeyField.isPrefix("~") && !KeyField.isPrefix("\u{7F}") && !KeyField.isPrefix("a\u{1F}"))
  }

  @Test func formsAreTheSameByWhatIsPosted() {
    func form(_ action: String? = "/a", _ base: String? = "/b", _ user: String = "u") -> LoginForm {
      LoginForm(action: action, base: base, entries: [.user(name: user)])
    }
    #expect(form() == form())
    for other in [form(nil), form("/c"), form("/a", nil), form("/a", "/c"), form("/a", "/b", "v")] {
      #expect(form() != other && other == other)
    }
  }

  // MARK: What is remembered

  @Test func theOldestNonceIsForgottenFirst() throws {
    var counts = NonceCounts()
    let space = TaskScene.space("r", .digest)
    func note(_ number: Int) throws {
      let challenge = DigestChallenge(realm: "r", nonce: OctetString("n\(number)"))
      var digest = try #require(
        DigestAuthenticator(challenge: challenge, user: "joe", password: TaskScene.secret("x"), uses: 6))
      let ticket = try digest.authorization(method: "GET", target: "/", clientNonce: "c").ticket
      counts.note(ticket, at: space)
    }
    for number in 0..<NonceCounts.capacity { try note(number) }
    #expect(counts.count(of: "n0", at: space) == 7)
    // One that is known makes no room.
    try note(1)
    #expect(counts.count(of: "n0", at: space) == 7)
    for number in 0..<2 { try note(NonceCounts.capacity + number) }
    #expect((0..<3).map { counts.count(of: OctetString("n\($0)"), at: space) } == [0, 0, 7])
    #expect(counts.count(of: OctetString("n\(NonceCounts.capacity)"), at: space) == 7)
  }

  private static func origin(_ number: Int) -> Origin {
    Origin(scheme: .https, host: "h\(number).example", port: 443)
  }

  @Test func whatCannotBeAnsweredIsRememberedOfSoManyServers() {
    var history = OfferHistory()
    var (one, two) = (UnusableOffers(), UnusableOffers())
    one.add(UnusableOffer(scheme: "a", reason: .malformed))
    for scheme in ["a", "b"] { two.add(UnusableOffer(scheme: scheme, reason: .malformed)) }
    for number in 0...256 { history.note(one, from: Self.origin(number), at: .origin) }
    func count(_ number: Int) -> Int { history.unusableOffers(of: Self.origin(number)).count }
    #expect((count(0), count(255), count(256)) == (1, 1, 0))
    history.note(two, from: Self.origin(0), at: .origin)
    history.note(two, from: Self.origin(256), at: .origin)
    #expect((count(0), count(256)) == (2, 0))
    // A server that names none any more makes room.
    history.note(UnusableOffers(), from: Self.origin(0), at: .origin)
    history.note(two, from: Self.origin(256), at: .origin)
    #expect((count(0), count(256)) == (0, 2))
    #expect(history.unusableOffers(of: Self.origin(1), at: .proxy).count == 0)
  }

  /// The strongest offers of so many origins, of so many of their realms, and of realms of this length.
  @Test func onlySoManyOffersAreRemembered() {
    func offer(_ method: AuthenticationMethod, _ realm: String) -> Offer {
      Offer(authenticationMethod: method, realm: OctetString(realm), parameters: [])
    }
    var history = OfferHistory()
    func isKnown(_ realm: String, at origin: Origin = TaskScene.origin) -> Bool {
      var copy = history
      return copy.note([offer(.basic, realm)], from: origin, strongestOnly: false).weaker != nil
    }
    func note(_ realm: String, at origin: Origin = TaskScene.origin) {
      _ = history.note([offer(.bearer, realm)], from: origin, strongestOnly: false)
    }
    for number in 0...16 { note("r\(number)") }
    #expect(isKnown("r0") && isKnown("r15") && !isKnown("r16"))
    for (count, isRemembered) in [(1024, true), (1025, false)] {
      note(Self.text(count), at: Self.origin(count))
      #expect(isKnown(Self.text(count), at: Self.origin(count)) == isRemembered)
    }
    history = OfferHistory()
    for number in 0...4096 { note("r", at: Self.origin(number)) }
    #expect(isKnown("r", at: Self.origin(4095)) && !isKnown("r", at: Self.origin(4096)))
  }

  /// What `domain` names is a path of visible ASCII characters (RFC 3986 §3.3).
  @Test(arguments: [
    ("!", true), ("~", true), ("\u{7F}", false), ("\u{20}", false), ("\u{1F}", false), ("\u{80}", false),
  ])
  func aDomainOfOtherCharactersNamesNothing(character: String, isNamed: Bool) {
    let scope = PreemptiveScope(
      method: .digest, acceptedAt: TaskScene.url("/x"), digestDomain: ["/a\(character)b"])
    // Without a domain that can be read it is the whole origin.
    #expect((scope.depth(covering: TaskScene.url("/elsewhere")) == nil) == isNamed)
  }

  @Test func delegationAndNTLMInsideAreOffUntilTheyAreAskedFor() {
    let policy = MethodPolicy()
    #expect(!policy.negotiate.delegates && !policy.negotiate.allowsNTLM && !policy.basicOverCleartext)
    #expect(!policy.strongestOnly && policy.disabled == [.ntlm])
  }
}
