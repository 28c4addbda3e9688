import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Which responses a rule for login forms is about (methods.md 16).
struct FormRuleTests {
  private static func rule(
    _ path: String = "/login", query: String? = nil, isPrefix: Bool = false, status: Int? = nil,
    user: String = "u", password: String = "p", success: Int? = nil
  ) -> FormRule {
    FormRule(
      page: RequestURL(origin: TaskScene.origin, path: path, query: query), isPrefix: isPrefix,
      when: FormRule.Condition(status: status), userField: user, passwordField: password,
      success: FormRule.Condition(status: success))
  }

  @Test func rulesAreTheSameByWhatTheySay() {
    let others = [
      Self.rule("/other"), Self.rule(isPrefix: true), Self.rule(status: 401), Self.rule(user: "v"),
      Self.rule(password: "q"), Self.rule(success: 302),
    ]
    #expect(Self.rule() == Self.rule())
    for (index, other) in others.enumerated() {
      #expect(Self.rule() != other && other == other, "\(index)")
    }
  }

  @Test(
    arguments: [
      (nil, false, "/login", nil, true), (nil, false, "/login", "a=1", true),
      ("a=1", false, "/login", "a=1", true), ("a=1", false, "/login", "a=2", false),
      ("a=1", false, "/login", nil, false), (nil, false, "/login/x", nil, false),
      (nil, true, "/login/x", nil, true), (nil, true, "/logout", nil, false),
    ] as [(String?, Bool, String, String?, Bool)])
  func aPageWithoutAQueryIsForAnyQuery(
    query: String?, isPrefix: Bool, path: String, asked: String?, isCovered: Bool
  ) {
    let rule = Self.rule(query: query, isPrefix: isPrefix)
    #expect(rule.covers(RequestURL(origin: TaskScene.origin, path: path, query: asked)) == isCovered)
    let other = Origin(scheme: .https, host: "b.example", port: 443)
    #expect(!rule.covers(RequestURL(origin: other, path: path, query: asked)))
  }

  /// An answer to `Range` may be a part of the page (RFC 9110 §15.3.7 and §15.5.17).
  @Test(
    arguments: [
      (206, "text/html", "/login", true), (416, "text/html", "/login", true),
      (206, "multipart/byteranges; boundary=x", "/login", true), (200, "text/html", "/login", false),
      (206, "application/zip", "/login", false), (206, "text/html", "/other", false),
      (404, "text/html", "/login", false),
    ])
  func aPartOfThePageMayBeTheForm(status: Int, type: String, path: String, isMet: Bool) {
    let head = ResponseHead(status: status, headers: [HeaderField("Content-Type", type)])
    let url = RequestURL(origin: TaskScene.origin, path: path, query: nil)
    #expect(Self.rule().mayBeMet(byPartIn: head, at: url) == isMet)
  }
}
