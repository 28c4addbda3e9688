import Testing

@testable import WatchwordCore

/// What is posted beside user and password: what a browser posts for a form that was not edited (HTML, "Form
/// submission").
@Suite struct FormSubmissionTests {
  private typealias Node = PageNode

  private static let fields: [Node] = [.element("input name=user", []), .element("input name=password", [])]

  @Test func anUntouchedControlIsPostedWithItsDefault() {
    let cases: [(Node, [String])] = [
      (.element("input name=a", []), ["a="]),
      (.element("input name=a value=x", []), ["a=x"]),
      (.element("input name=a type=hidden value=x", []), ["a=x"]),
      (.element("input name=_Charset_ type=hidden", []), ["_Charset_=UTF-8"]),
      (.element("input value=x", []), []),
      (.element("input name= value=x", []), []),
      (.element("input name=a disabled", []), []),
      (.element("input name=a type=checkbox", []), []),
      (.element("input name=a type=CHECKBOX checked", []), ["a=on"]),
      (.element("input name=a type=radio value=x checked", []), ["a=x"]),
      (.element("input name=a type=file", []), ["a="]),
      (.element("input name=a type=reset value=x", []), []),
      (.element("input name=a type=button value=x", []), []),
      (.element("button name=a type=button value=x", []), []),
      (.element("button name=a type=reset", []), []),
      (.element("button name=a value=x", [.text("y")]), ["a=x"]),
      (.element("button name=a type=odd value=x", []), ["a=x"]),
      (.element("button name=a type=image value=x", []), ["a=x"]),
      (.element("input name=a type=image value=x", []), ["a.x=0", "a.y=0"]),
      (.element("input type=image", []), ["x=0", "y=0"]),
      (.element("textarea name=a", []), ["a="]),
      (.element("textarea name=a", [.text("\n\nx\r\ny")]), ["a=\r\nx\r\ny"]),
      (.element("textarea name=a", [.text("x\ry\rz")]), ["a=x\r\ny\r\nz"]),
      (.element("textarea name=a", [.text("x\r\n")]), ["a=x\r\n"]),
      (.element("textarea name=a disabled", [.text("x")]), []),
      (.element("textarea", [.text("x")]), []),
      (.element("textarea name=a", [.text("x"), .element("input name=b", [])]), ["a=x"]),
      (.element("textarea name=a", [.text("x"), .element("i", []), .text("y")]), ["a=xy"]),
      (.element("fieldset", [.element("input name=a", [])]), ["a="]),
      (.element("fieldset disabled", [.element("p", [.element("input name=a", [])])]), []),
      (
        .element(
          "fieldset disabled",
          [
            .element("legend", [.element("input name=a", [])]),
            .element("legend", [.element("input name=b", [])]),
          ]), ["a="]
      ),
      (
        .element(
          "fieldset disabled",
          [.element("fieldset", [.element("legend", [.element("input name=a", [])])])]), []
      ),
      (.element("datalist", [.element("input name=a", []), .element("option value=x", [])]), []),
      (.element("input name=a type=text value=x\ny", []), ["a=xy"]),
      (.element("input name=a type=hidden value=x\ny", []), ["a=x\r\ny"]),
    ]
    for (node, expected) in cases { #expect(posted([node]) == expected, "\(node)") }
  }

  @Test func aListIsPostedWithItsChosenOptions() {
    func option(_ text: String, _ attributes: String = "") -> Node {
      .element("option \(attributes)", [.text(text)])
    }
    let cases: [(Node, [String])] = [
      (.element("select name=a", [option("x"), option("y")]), ["a=x"]),
      (.element("select name=a", [option("x"), option("y", "selected")]), ["a=y"]),
      (.element("select name=a", [option("x", "selected"), option("y", "selected")]), ["a=y"]),
      (.element("select name=a", [option("x", "value=1")]), ["a=1"]),
      (.element("select name=a", [option("x", "value=")]), ["a="]),
      (.element("select name=a", [option(" \n x   y ")]), ["a=x y"]),
      (.element("select name=a", [option("x", "disabled"), option("y")]), ["a=y"]),
      (.element("select name=a", [option("x", "selected disabled"), option("y")]), []),
      (.element("select name=a", [option("x", "disabled")]), []),
      (.element("select name=a", []), []),
      (.element("select name=a disabled", [option("x")]), []),
      (.element("select", [option("x")]), []),
      (.element("select name=a size=1", [option("x")]), ["a=x"]),
      (.element("select name=a size=4", [option("x")]), []),
      (.element("select name=a multiple", [option("x")]), []),
      (
        .element("select name=a multiple", [option("x", "selected"), option("y"), option("z", "selected")]),
        ["a=x", "a=z"]
      ),
      (
        .element("select name=a", [.element("optgroup disabled", [option("x")]), option("y")]), ["a=y"]
      ),
      (.element("select name=a", [.element("optgroup", [option("x")])]), ["a=x"]),
      (
        .element("select name=a", [.element("optgroup disabled", [option("x"), option("y")]), option("z")]),
        ["a=z"]
      ),
      (.element("select name=a", [option("x"), .text("y")]), ["a=x"]),
      (.element("select name=a", [.element("optgroup", [option("x"), .text("y")]), .text("z")]), ["a=x"]),
      (.element("select name=a", [.element("input name=b", []), option("x")]), ["b="]),
    ]
    for (node, expected) in cases { #expect(posted([node]) == expected, "\(node)") }
  }

  @Test func theFirstButtonIsTheOneThatSubmits() throws {
    #expect(posted([.element("button", []), .element("button name=b", [])]) == [])
    #expect(posted([.element("button name=a disabled", []), .element("button name=b", [])]) == ["b="])
    let other = [Node.element("input type=submit formaction=/other formmethod=POST name=go value=in", [])]
    let form = try usable(.element("form method=get action=/login", Self.fields + other))
    #expect(form.action == "/other")
    let multipart = Node.element("button formenctype=multipart/form-data", [])
    #expect(
      reading(.element("form method=post", Self.fields + [multipart])) == .unusable(.unsupportedEncoding))
    #expect(
      reading(.element("form method=post", Self.fields + [.element("button formmethod=dialog", [])]))
        == .unusable(.notPosted))
  }

  @Test func aControlNamesItsForm() {
    let login = Node.element("form method=post id=login", Self.fields)
    let cases: [([Node], [String])] = [
      ([login, .element("input form=login name=a", [])], ["a="]),
      ([.element("input form=login name=a", []), login], ["a="]),
      ([login, .element("input form=other name=a", [])], []),
      ([login, .element("input form= name=a", [])], []),
      ([login, .element("form id=login", [.element("input form=login name=a", [])])], ["a="]),
      ([login, .element("select form=login name=a", [.element("option", [.text("x")])])], ["a=x"]),
      ([login, .element("textarea form=login name=a", [.text("x")])], ["a=x"]),
    ]
    for (nodes, expected) in cases { #expect(posted(in: nodes) == expected, "\(nodes)") }
    let away = Node.element("input name=a form=other", [])
    #expect(posted([away]) == [], "a control in the form that names another one")
  }

  @Test func theFirstFormWithBothFieldsCounts() {
    let plain = Node.element("form method=post", Self.fields + [.element("input name=a", [])])
    let named = Node.element("form method=post id=f", [Self.fields[0]])
    let password = Node.element("input name=password form=f", [])
    #expect(posted(in: [named, plain, password]) == [])
    #expect(posted(in: [named, plain]) == ["a="])
    #expect(posted(in: [plain, named, password]) == ["a="])
  }

  // MARK: Reading

  /// What the form posts beside the two fields.
  private func posted(_ nodes: [Node]) -> [String] {
    posted(in: [.element("form method=post", Self.fields + nodes)])
  }

  private func posted(in page: [Node]) -> [String] {
    guard case .usable(let form)? = reading(.element("body", page)) else { return ["unusable"] }
    return form.entries.compactMap {
      if case .given(let name, let value) = $0 { "\(name)=\(value)" } else { nil }
    }
  }

  private func usable(_ node: Node) throws -> LoginForm {
    guard case .usable(let form)? = reading(node) else { throw Unusable() }
    return form
  }

  private struct Unusable: Error {}

  private func reading(_ node: Node) -> PageReading.Form? {
    var reader = PageParser(PageQuestion(userField: "user", passwordField: "password", selector: nil))
    node.read(by: &reader)
    return reader.finish(isWhole: true).form
  }
}
