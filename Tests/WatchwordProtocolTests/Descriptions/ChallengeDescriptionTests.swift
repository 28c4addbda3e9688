import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct ChallengeDescriptionTests {
  private let origin = Origin(scheme: .https, host: "intranet.example", port: 443)

  private func description(
    realm: String? = "staff", proposed: ProposedCredential? = nil, response: ResponseHead?,
    weakerOffer: WeakerOffer? = nil
  ) -> Sent.Challenge {
    let digest = Offer(
      authenticationMethod: .digest, realm: realm.map { OctetString($0) },
      parameters: [
        AuthenticationParameter("realm", "staff"), AuthenticationParameter("qop", "auth"),
        AuthenticationParameter("qop", "again"),
      ])
    let basic = Offer(
      authenticationMethod: .basic, realm: "\"é\"", parameters: [AuthenticationParameter("realm", "\"é\"")])
    let question = ChallengeQuestion(
      url: RequestURL(origin: origin, path: "/q3.csv", query: nil), space: digest.protectionSpace(of: origin),
      offers: [digest, basic], proposed: proposed, previousFailureCount: 2, failureResponse: response,
      weakerOffer: weakerOffer)
    return Sent.Challenge(
      challenge: "c7-5b1e90d2", session: "reports", task: "t12", url: "https://intranet.example/q3.csv",
      question: question,
      waiters: [
        .init(task: "t12", pid: 4711, uid: 1000, executable: "/usr/bin/python3"),
        .init(task: "t13", pid: nil, uid: 1000, executable: nil),
      ], waiterCount: 2, asked: [4711, 4800], waitedSeconds: 2.5, deadline: 1_795_262_700)
  }

  @Test func theShapeIsTheProtocols() throws {
    let response = ResponseHead(
      status: 401,
      headers: [
        HeaderField("WWW-Authenticate", "Digest realm=\"staff\""), HeaderField("Set-Cookie", "sid=1"),
        HeaderField("set-cookie2", "sid=1"), HeaderField("Authentication-Info", "nextnonce=1"),
        HeaderField("X", "y"),
      ])
    let expected = #"""
      {"challenge":"c7-5b1e90d2","session":"reports","task":"t12","url":"https://intranet.example/q3.csv",
       "origin":"https://intranet.example:443",
       "protectionSpace":{"protocol":"https","host":"intranet.example","port":443,"realm":"staff",
         "authenticationMethod":"digest","isProxy":false,"proxyType":null,"receivesCredentialSecurely":true,
         "parameters":{"realm":"staff","qop":"auth"},"distinguishedNames":null,"serverTrust":null},
       "offers":[{"authenticationMethod":"digest","realm":"staff","parameters":{"realm":"staff","qop":"auth"}},
         {"authenticationMethod":"basic","realm":"\"é\"","parameters":{"realm":"\"é\""}}],
       "proposedCredential":null,"previousFailureCount":2,
       "failureResponse":{"status":401,"headers":[["WWW-Authenticate","Digest realm=\"staff\""],["X","y"]]},"error":null,
       "waiters":[{"task":"t12","pid":4711,"uid":1000,"executable":"/usr/bin/python3"},
         {"task":"t13","pid":null,"uid":1000,"executable":null}],
       "waiterCount":2,"asked":[4711,4800],"waitedSeconds":2.5,"deadline":"2026-11-21T12:05:00Z"}
      """#
    #expect(try parse(written(description(response: response).write)) == (try parse(expected)))
  }

  /// Every message has the offers that are left: thousands of them in thousands of messages are a gigabyte.
  @Test(arguments: [16, 17, 60]) func aLongListOfOffersIsCut(_ count: Int) throws {
    let offers = (0..<count).map { number in
      Offer(authenticationMethod: .basic, realm: OctetString("\(number)"), parameters: [])
    }
    let question = ChallengeQuestion(
      url: RequestURL(origin: origin, path: "/", query: nil), space: offers[0].protectionSpace(of: origin),
      offers: offers, proposed: nil, previousFailureCount: 0, failureResponse: nil, weakerOffer: nil)
    let description = Sent.Challenge(
      challenge: "c", session: "s", task: "t", url: "u", question: question, waiters: [], waiterCount: 0,
      deadline: 0)
    let value = try parse(written(description.write))
    guard case .array(let listed)? = value["offers"] else {
      Issue.record("no offers")
      return
    }
    #expect(listed.count == 16)
    #expect(value["offerCount"] == (count > 16 ? .integer(Int64(count)) : nil))
  }

  @Test func whatIsNotThereIsNull() throws {
    let value = try parse(written(description(realm: nil, response: nil).write))
    #expect(value["protectionSpace"]?["realm"] == .null)
    #expect(value["failureResponse"] == .null)
    #expect(value["proposedCredential"] == .null)
  }

  @Test func aWeakerOfferThanBeforeIsSaid() throws {
    var history = OfferHistory()
    let policy = MethodPolicy()
    let strong = OfferSelection.read(
      ["Digest realm=\"staff\", nonce=\"n\", algorithm=SHA-256, qop=\"auth\""], policy: policy
    ).offers
    _ = history.note(strong, from: origin, strongestOnly: false)
    let weak = OfferSelection.read(["Basic realm=\"staff\""], policy: policy).offers
    let weaker = history.note(weak, from: origin, strongestOnly: false).weaker
    let value = try parse(written(description(response: nil, weakerOffer: weaker).write))
    let expected = #"""
      {"kind":"weakerOffer","previous":{"authenticationMethod":"digest","algorithm":"SHA-256"},
       "offered":{"authenticationMethod":"basic","algorithm":null}}
      """#
    #expect(value["error"] == (try parse(expected)))
  }

  @Test func aProposedCredentialIsAUserAndASource() throws {
    let proposed = ProposedCredential(user: "reader", source: .session)
    let value = try parse(written(description(proposed: proposed, response: nil).write))
    #expect(
      value["proposedCredential"] == .object(["user": .string("reader"), "source": .string("session")]))
  }
}
