import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct LoginFormTests {
  @Test func isEncodedInTheOrderOfThePage() {
    let form = LoginForm(
      action: nil,
      entries: [
        .given(name: "csrf token", value: "a+b/c=ü"), .user(name: "user"), .password(name: "pass[]"),
        .given(name: "go", value: ""),
      ])
    let content = form.content(user: "Jürgen & co", password: Secret("p%ss w*rd\u{2603}".utf8))
    let expected =
      "csrf+token=a%2Bb%2Fc%3D%C3%BC&user=J%C3%BCrgen+%26+co&pass%5B%5D=p%25ss+w*rd%E2%98%83&go="
    #expect(content.withBytes { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test func aPatternCoversOnlyItsOrigin() throws {
    let exact = rule("/login")
    #expect(exact.mayBeMet(by: page(), at: url("/login")))
    #expect(exact.mayBeMet(by: page(), at: url("/login", query: "next=/a")))
    #expect(!exact.mayBeMet(by: page(), at: url("/login/")))
    #expect(!exact.mayBeMet(by: page(), at: url("/login", host: "other.test")))
    #expect(!exact.mayBeMet(by: page("text/plain"), at: url("/login")))
    #expect(exact.mayBeMet(by: page("Text/HTML;charset=utf-8"), at: url("/login")))
    for (status, isPage) in [
      (200, true), (401, true), (204, false), (205, false), (302, false), (304, false), (503, false),
    ] {
      #expect(exact.mayBeMet(by: ResponseHead(status: status, headers: []), at: url("/login")) == isPage)
    }
    let below = rule("/auth/", isPrefix: true)
    #expect(below.mayBeMet(by: page(), at: url("/auth/login")))
    #expect(!below.mayBeMet(by: page(), at: url("/authentic")))
    #expect(!below.mayBeMet(by: page(), at: url("/auth/%2e%2e/other")))
  }

  @Test func aStatusOfTheRuleMustBeTheResponses() {
    let rule = rule("/login", when: FormRule.Condition(status: 403))
    #expect(rule.mayBeMet(by: page(status: 403), at: url("/login")))
    #expect(!rule.mayBeMet(by: page(status: 200), at: url("/login")))
  }

  @Test func aStoredPasswordIsPostedOverCleartextOnlyByConsent() {
    var policy = MethodPolicy()
    let cleartext = Origin(scheme: .http, host: "app.test", port: 80)
    #expect(!policy.allowsStored(.htmlForm, over: cleartext))
    #expect(policy.allowsStored(.htmlForm, over: url("/").origin))
    policy.basicOverCleartext = true
    #expect(policy.allowsStored(.htmlForm, over: cleartext))
  }

  /// A session whose rules differ in any part is another one (messages.md 4.9), and leads passwords elsewhere.
  @Test func rulesAreEqualInEveryPart() throws {
    func rule(
      _ path: String = "/login", isPrefix: Bool = false, when: Int? = 401, user: String = "u",
      password: String = "p", success: Int? = 302
    ) -> FormRule {
      FormRule(
        page: url(path), isPrefix: isPrefix, when: FormRule.Condition(status: when), userField: user,
        passwordField: password, success: FormRule.Condition(status: success))
    }
    let others = [
      rule("/log"), rule(isPrefix: true), rule(when: nil), rule(user: "v"), rule(password: "q"),
      rule(success: nil),
    ]
    #expect(rule() == rule())
    #expect(rule().target == rule().target)
    for (index, other) in others.enumerated() {
      #expect(rule() != other, "\(index)")
      #expect(rule().target != other.target, "\(index)")
    }
    // Where one text ends and the next begins is part of it.
    #expect(rule(user: "u p", password: "q").target != rule(user: "u", password: "p q").target)
  }

  private func rule(
    _ path: String, isPrefix: Bool = false, when: FormRule.Condition = FormRule.Condition()
  ) -> FormRule {
    FormRule(
      page: url(path), isPrefix: isPrefix, when: when, userField: "u", passwordField: "p",
      success: FormRule.Condition())
  }

  private func url(_ path: String, query: String? = nil, host: String = "app.test") -> RequestURL {
    RequestURL(origin: Origin(scheme: .https, host: host, port: 443), path: path, query: query)
  }

  private func page(_ type: String = "text/html", status: Int = 200) -> ResponseHead {
    ResponseHead(status: status, headers: [HeaderField("Content-Type", type)])
  }
}
