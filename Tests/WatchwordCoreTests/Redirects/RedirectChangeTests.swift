import Testing
import WatchwordCore
import WatchwordVocabulary

/// What a caller changes of a redirect that it is asked about (challenges.md 13).
@Suite struct RedirectChangeTests {
  private static let home = Origin(scheme: .https, host: "a.test", port: 443)
  private static let hop = RedirectStep(
    url: url(home, "/start"), method: "POST",
    headers: [HeaderField("Authorization", "Bearer t"), HeaderField("X-Plain", "1")], body: .replayable)

  private static func url(_ origin: Origin, _ path: String) -> RequestURL {
    RequestURL(origin: origin, path: path, query: nil, userinfo: nil)
  }

  private var policy = RedirectPolicy()

  private func proposed(_ status: Int = 307) throws -> RedirectedRequest {
    var policy = policy
    policy.mode = .ask
    let decision = policy.decision(
      status: status, target: .resolved(Self.url(Self.home, "/next")), from: Self.hop, after: 0)
    guard case .ask(let request) = decision else { throw RedirectFault.malformedTarget }
    return request
  }

  private func request(
    _ change: RedirectChange, status: Int = 307, after count: Int = 0
  ) throws -> RedirectedRequest {
    try policy.request(try proposed(status), changedBy: change, from: Self.hop, after: count)
  }

  @Test func nothingChangedIsWhatWasProposed() throws {
    #expect(try request(RedirectChange()) == proposed())
  }

  @Test func anotherOriginGetsNoSecretField() throws {
    let other = Self.url(Origin(scheme: .https, host: "b.test", port: 443), "/")
    let changed = try request(RedirectChange(url: other))
    #expect(changed.url == other)
    #expect(changed.headers == [HeaderField("X-Plain", "1")])
    #expect(changed.method == "POST" && changed.keepsBody)
  }

  @Test func anotherURLIsJudgedByTheStatusOfTheRedirect() throws {
    let changed = try request(RedirectChange(url: Self.url(Self.home, "/else")), status: 303)
    #expect(changed.method == "GET" && !changed.keepsBody && changed.status == 303)
  }

  @Test func aDowngradeIsRefusedAsTheServersWouldBe() {
    let plain = Self.url(Origin(scheme: .http, host: "a.test", port: 80), "/")
    #expect(throws: RedirectFault.downgrade) { try request(RedirectChange(url: plain)) }
  }

  @Test func theLimitHoldsForTheCallersURLToo() {
    let next = Self.url(Self.home, "/else")
    #expect(throws: RedirectFault.tooManyRedirects) {
      try request(RedirectChange(url: next), after: RedirectPolicy().limit)
    }
  }

  @Test func aHiddenFieldThatIsGivenBackHasItsValueAgain() throws {
    let shown = SensitiveFields.hidden(in: try proposed().headers)
    #expect(shown.first?.value == "<secret>")
    let changed = try request(RedirectChange(method: "PUT", headers: shown + [HeaderField("X-New", "2")]))
    #expect(changed.method == "PUT")
    #expect(
      changed.headers == [
        HeaderField("Authorization", "Bearer t"), HeaderField("X-Plain", "1"), HeaderField("X-New", "2"),
      ])
  }

  @Test func aHiddenFieldIsDroppedWhereItsValueMayNotGo() throws {
    let other = Self.url(Origin(scheme: .https, host: "b.test", port: 443), "/")
    let shown = SensitiveFields.hidden(in: try proposed().headers)
    let changed = try request(RedirectChange(url: other, headers: shown))
    #expect(changed.headers == [HeaderField("X-Plain", "1")])
  }
}
