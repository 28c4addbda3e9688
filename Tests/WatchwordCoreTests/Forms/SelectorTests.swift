import Testing

@testable import WatchwordCore

@Suite struct SelectorTests {
  @Test(arguments: [
    ("form", ["form"]), ("FORM#login", ["form id=login"]), ("*", ["p"]), (".error", ["p class=an\terror"]),
    ("input[name=password]", ["input name=password"]), ("[name='user name']", ["input name=user name"]),
    ("[data-x]", ["p data-x"]), ("[href^=\"/log\"]", ["a href=/login"]), ("[href$=in]", ["a href=/login"]),
    ("[href*=og]", ["a href=/login"]), ("[class~=b]", ["p class=a b c"]), ("p, form", ["form"]),
    ("div form", ["div", "p", "form"]), ("div > form", ["div", "form"]),
    ("div>p form", ["div", "p", "b", "form"]),
    ("a b > c", ["a", "b", "b", "c"]),
  ])
  func matches(_ text: String, _ path: [String]) throws { #expect(try isFound(text, in: path)) }

  @Test(arguments: [
    ("form", ["div"]), ("#login", ["form id=Login"]), (".error", ["p class=errors"]),
    ("div > form", ["div", "p", "form"]),
    ("div form", ["form", "div"]), ("[href^='']", ["a href=/"]), ("[name]", ["input"]),
    ("[href$='']", ["a href=/"]), ("[href*='']", ["a href=/"]),
    ("a > b > c", ["a", "b", "b", "c"]),
    ("p form, div b", ["div", "form"]),
  ])
  func doesNotMatch(_ text: String, _ path: [String]) throws { #expect(try !isFound(text, in: path)) }

  @Test(arguments: [
    "", " ", ",", "form,", "form >", "> form", "form:first-child", "a + b", "a ~ b", "a*", "[", "[a", "[a=]",
    "[a=b", "[a='b]",
    "#", ".", "a..b", "[a|=b]", "p[a='\\62 ']", String(repeating: "a ", count: 65),
    String(repeating: "a", count: 1025),
  ])
  func isRefused(_ text: String) { #expect(Selector(text) == nil) }

  @Test(arguments: [
    String(repeating: "a", count: 1024), String(repeating: "a ", count: 63) + "a", "\u{80}", "a\u{80}",
    "_a-1",
  ])
  func isTaken(_ text: String) { #expect(Selector(text) != nil) }

  @Test func isTheSameInOtherSpaces() {
    #expect(Selector("div>form") == Selector(" div > form "))
    #expect(Selector("div form") != Selector("div > form"))
  }

  /// `path` are nested elements, the innermost last.
  private func isFound(_ text: String, in path: [String]) throws -> Bool {
    let selector = try #require(Selector(text))
    var reader = PageParser(PageQuestion(userField: "u", passwordField: "p", selector: selector))
    for element in path {
      let words = element.split(separator: " ", maxSplits: 1)
      let pair = words.dropFirst().first?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
      let attributes = pair.first.map { [(name: $0, value: pair.count > 1 ? pair[1] : "")] } ?? []
      _ = reader.begin(PageElement(name: String(words[0]), attributes: attributes))
    }
    return reader.finish(isWhole: true).isSelected
  }
}
