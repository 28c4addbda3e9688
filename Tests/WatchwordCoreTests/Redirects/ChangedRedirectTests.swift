import Testing
import WatchwordCore
import WatchwordVocabulary

/// What a caller changes of a redirect that it is asked about (challenges.md 13).
@Suite struct ChangedRedirectTests {
  private static let home = Origin(scheme: .https, host: "a.test", port: 443)
  private static let first = RequestStep(
    url: url(home, "/start"), method: "POST",
    headers: [HeaderField("Authorization", "Bearer t"), HeaderField("X-Plain", "1")], body: .replayable)

  private static func url(_ origin: Origin, _ path: String) -> RequestURL {
    RequestURL(origin: origin, path: path, query: nil, userinfo: nil)
  }

  private var policy = RedirectPolicy()

  private func proposed(_ status: Int = 307) throws -> RequestStep {
    var policy = policy
    policy.mode = .ask
    let decision = policy.decision(
      status: status, target: .resolved(Self.url(Self.home, "/next")), from: Self.first, after: 0)
    guard case .ask(let request) = decision else { throw RedirectFault.malformedTarget }
    return request
  }

  private func request(
    to url: RequestURL? = nil, method: String? = nil, headers: [HeaderField]? = nil, status: Int = 307,
    after count: Int = 0
  ) throws -> RequestStep {
    try policy.step(
      try proposed(status), to: url, method: method, headers: headers, status: status, from: Self.first,
      after: count)
  }

  @Test func nothingChangedIsWhatWasProposed() throws {
    #expect(try request() == proposed())
  }

  @Test func anotherOriginGetsNoSecretField() throws {
    let other = Self.url(Origin(scheme: .https, host: "b.test", port: 443), "/")
    let changed = try request(to: other)
    #expect(changed.url == other)
    #expect(changed.headers == [HeaderField("X-Plain", "1")])
    #expect(changed.method == "POST" && changed.body == .replayable)
  }

  @Test func anotherURLIsJudgedByTheStatusOfTheRedirect() throws {
    let changed = try request(to: Self.url(Self.home, "/else"), status: 303)
    #expect(changed.method == "GET" && changed.body == .none)
  }

  @Test func aDowngradeIsRefusedAsTheServersWouldBe() {
    let plain = Self.url(Origin(scheme: .http, host: "a.test", port: 80), "/")
    #expect(throws: RedirectFault.downgrade) { try request(to: plain) }
  }

  @Test func theLimitHoldsForTheCallersURLToo() {
    let next = Self.url(Self.home, "/else")
    #expect(throws: RedirectFault.tooManyRedirects) {
      try request(to: next, after: RedirectPolicy().limit)
    }
  }

  @Test func aHiddenFieldThatIsGivenBackHasItsValueAgain() throws {
    let shown = SensitiveFields.hidden(in: try proposed().headers)
    #expect(shown.first?.value == "<secret>")
    let changed = try request(method: "PUT", headers: shown + [HeaderField("X-New", "2")])
    #expect(changed.method == "PUT")
    #expect(
      changed.headers == [
        HeaderField("Authorization", "Bearer t"), HeaderField("X-Plain", "1"), HeaderField("X-New", "2"),
      ])
  }

  @Test func aHiddenFieldIsDroppedWhereItsValueMayNotGo() throws {
    let other = Self.url(Origin(scheme: .https, host: "b.test", port: 443), "/")
    let shown = SensitiveFields.hidden(in: try proposed().headers)
    let changed = try request(to: other, headers: shown)
    #expect(changed.headers == [HeaderField("X-Plain", "1")])
  }
}
