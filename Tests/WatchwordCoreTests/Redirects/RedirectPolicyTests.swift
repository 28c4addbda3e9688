import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct RedirectPolicyTests {
  static let home = Origin(scheme: .https, host: "a.test", port: 443)

  static func url(_ path: String = "/", on origin: Origin = home, user: String? = nil) -> RequestURL {
    RequestURL(
      origin: origin, path: path, query: nil,
      userinfo: user.map { RequestURL.Userinfo(user: $0, password: nil) })
  }

  private func decide(
    _ status: Int, to target: RedirectTarget = .resolved(url("/next")), method: String = "GET",
    headers: [(String, String)] = [], sensitive: Set<String> = [], body: RequestStep.Body = .none,
    after count: Int = 0, from: RequestURL = url("/first"),
    _ change: (inout RedirectPolicy) -> Void = { _ in }
  ) -> RedirectDecision {
    var policy = RedirectPolicy()
    change(&policy)
    let step = RequestStep(
      url: from, method: method, headers: headers.map { HeaderField($0, $1) }, sensitiveNames: sensitive,
      body: body)
    return policy.decision(status: status, target: target, from: step, after: count)
  }

  private func followed(_ decision: RedirectDecision) throws -> RequestStep {
    guard case .follow(let request) = decision else { throw RedirectFault.malformedTarget }
    return request
  }

  static let methods: [(status: Int, before: String, after: String, keepsBody: Bool)] = [
    (301, "GET", "GET", true), (301, "POST", "GET", false), (301, "PUT", "PUT", true),
    (301, "HEAD", "HEAD", true),
    (302, "GET", "GET", true), (302, "POST", "GET", false), (302, "PATCH", "PATCH", true),
    (302, "post", "post", true), (303, "GET", "GET", false), (303, "POST", "GET", false),
    (303, "PUT", "GET", false), (303, "DELETE", "GET", false), (303, "HEAD", "HEAD", false),
    (307, "GET", "GET", true), (307, "POST", "POST", true), (308, "POST", "POST", true),
    (308, "HEAD", "HEAD", true),
  ]

  @Test(arguments: methods.indices)
  func methodAndBodyChangeAsInBrowsers(index: Int) throws {
    let (status, before, after, keepsBody) = Self.methods[index]
    let headers = [
      ("Content-Type", "a/b"), ("content-language", "de"), ("Expect", "100-continue"), ("X", "y"),
    ]
    let request = try followed(decide(status, method: before, headers: headers, body: .replayable))
    #expect(request.method == after)
    #expect(request.body == (keepsBody ? .replayable : .none))
    #expect(request.headers.map(\.name) == (keepsBody ? headers.map(\.0) : ["X"]))
    let bodiless = try followed(decide(status, method: before, headers: headers))
    #expect(bodiless.body == .none)
    #expect(bodiless.headers == request.headers)
    // Whether any of it was read is not known here.
    let once = try followed(decide(status, method: before, body: .notReplayable))
    #expect(once.body == (keepsBody ? .notReplayable : .none))
  }

  @Test(arguments: [100, 200, 204, 300, 304, 305, 306, 309, 399, 401, 500])
  func otherStatusesAreNoRedirects(status: Int) {
    #expect(decide(status) == .notARedirect)
    #expect(decide(status) { $0.mode = .manual } == .notARedirect)
  }

  @Test func responseWithoutLocationIsDelivered() {
    #expect(decide(302, to: .absent) == .deliver)
    #expect(decide(302, to: .absent, after: 99) == .deliver)
  }

  @Test func manualDelivers() {
    for target in [RedirectTarget.absent, .malformed, .unsupportedScheme, .resolved(Self.url())] {
      #expect(decide(307, to: target, after: 99) { $0.mode = .manual } == .deliver)
    }
  }

  @Test func askShowsWhatFollowWouldSend() throws {
    let headers = [("Authorization", "x"), ("Accept", "y")]
    let request = try followed(decide(303, method: "POST", headers: headers))
    #expect(decide(303, method: "POST", headers: headers) { $0.mode = .ask } == .ask(request))
  }

  @Test func limitCountsRedirectsFollowed() throws {
    _ = try followed(decide(302, after: 19))
    #expect(decide(302, after: 20) == .refuse(.tooManyRedirects))
    #expect(decide(302) { $0.limit = 0 } == .refuse(.tooManyRedirects))
    #expect(decide(302, after: 1) { ($0.limit, $0.mode) = (1, .ask) } == .refuse(.tooManyRedirects))
  }

  @Test func otherSchemesAndMalformedTargetsAreRefused() {
    #expect(decide(302, to: .unsupportedScheme) == .refuse(.unsupportedScheme))
    #expect(decide(302, to: .malformed) == .refuse(.malformedTarget))
    #expect(decide(302, to: .unsupportedScheme) { $0.mode = .ask } == .refuse(.unsupportedScheme))
  }

  @Test func downgradeIsRefusedUnlessAllowedAndThenKeepsNothing() throws {
    let plain = Self.url(on: Origin(scheme: .http, host: "a.test", port: 80))
    #expect(decide(302, to: .resolved(plain)) == .refuse(.downgrade))
    #expect(decide(302, to: .resolved(plain)) { $0.mode = .ask } == .refuse(.downgrade))
    let allowed = decide(
      302, to: .resolved(plain), headers: [("Authorization", "x"), ("Cookie", "y"), ("Z", "z")]
    ) {
      $0.allowsDowngrade = true
    }
    let request = try followed(allowed)
    #expect(request.headers == [HeaderField("Z", "z")])
    let upgrade = decide(302, to: .resolved(Self.url()), from: plain)
    #expect(try followed(upgrade).url == Self.url())
  }

  static let secrets = [
    ("AUTHORIZATION", "a"), ("Cookie", "b"), ("Proxy-Authorization", "c"), ("X-Api-Key", "d"), ("Host", "e"),
    ("Accept", "f"), ("Accept", "g"),
  ]

  @Test(arguments: [
    Origin(scheme: .https, host: "b.test", port: 443), Origin(scheme: .https, host: "a.test", port: 8443),
    Origin(scheme: .https, host: "sub.a.test", port: 443),
  ])
  func secretsStayWithTheirOrigin(other: Origin) throws {
    let request = try followed(
      decide(302, to: .resolved(Self.url(on: other)), headers: Self.secrets, sensitive: ["x-api-key"]))
    #expect(request.headers == [HeaderField("Accept", "f"), HeaderField("Accept", "g")])
  }

  @Test func sameOriginKeepsThem() throws {
    let request = try followed(decide(302, headers: Self.secrets, sensitive: ["x-api-key"]))
    #expect(request.headers.count == Self.secrets.count)
  }

  @Test func droppedFieldsNeverComeBack() throws {
    let away = Self.url(on: Origin(scheme: .https, host: "b.test", port: 443))
    var step = RequestStep(
      url: Self.url(), method: "GET", headers: Self.secrets.map { HeaderField($0.0, $0.1) },
      sensitiveNames: ["x-api-key"])
    for next in [away, Self.url("/back"), Self.url("/again")] {
      step = try followed(
        RedirectPolicy().decision(status: 302, target: .resolved(next), from: step, after: 0))
    }
    #expect(step.url.origin == Self.home)
    #expect(step.headers.map(\.name) == ["Accept", "Accept"])
  }

  @Test func userinfoInLocationIsDropped() throws {
    let request = try followed(decide(302, to: .resolved(Self.url("/x", user: "mallory"))))
    #expect(request.url == Self.url("/x"))
  }

  @Test func refererIsNeverSentOn() throws {
    #expect(try followed(decide(302, headers: [("Referer", "https://a.test/?token=1")])).headers.isEmpty)
  }
}
