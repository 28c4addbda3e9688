import Testing

@testable import WatchwordCore

/// What a reader finds on a page, and how far it reads (methods.md 16.1 and 16.2).
struct PageReaderTests {
  private static func reader(_ selector: String? = nil) -> PageParser {
    PageParser(
      PageQuestion(
        userField: "user", passwordField: "password", selector: selector.flatMap { Selector($0) }))
  }

  private static func reading(
    _ nodes: [PageNode], selector: String? = nil, isWhole: Bool = true
  ) -> PageReading {
    var reader = reader(selector)
    for node in nodes { node.read(by: &reader) }
    return reader.finish(isWhole: isWhole)
  }

  private static func form(_ attributes: String = "method=post", _ inputs: String...) -> PageNode {
    .element("form " + attributes, inputs.map { .element("input name=" + $0, []) })
  }

  private static func entries(_ reading: PageReading) -> [LoginForm.Field]? {
    if case .usable(let form)? = reading.form { form.entries } else { nil }
  }

  /// The selector or one of the fields shows that it is the page, and no form has both.
  @Test func aPageWithoutBothFieldsIsToldApartFromOtherPages() {
    let pages: [(String?, [PageNode], lacksField: Bool)] = [
      (nil, [Self.form("", "a")], false), (nil, [Self.form("", "user")], true),
      (nil, [Self.form("", "password")], true),
      (nil, [.element("form", [.element("button name=user", [])])], false),
      (nil, [Self.form("method=post", "user", "password")], false),
      (nil, [Self.form("method=get", "user", "password")], false),
      ("p", [.element("p", [])], true), ("p", [Self.form("", "user")], false),
      ("p", [.element("p", []), Self.form("method=post", "user", "password")], false),
    ]
    for (selector, nodes, lacksField) in pages {
      #expect(Self.reading(nodes, selector: selector).lacksField == lacksField, "\(selector ?? "-") \(nodes)")
    }
    #expect(!PageReading.nothing.isSelected && PageReading.nothing.form == nil)
  }

  @Test func aPageIsReadUntilItsFormIsKnown() {
    let forms: [(String?, String, [String], goesOn: Bool)] = [
      (nil, "form", ["user", "password"], false), (nil, "form", ["user"], true),
      (nil, "form", ["password"], true), (nil, "form", ["a"], true),
      // Controls that name it may follow.
      (nil, "form id=f", ["user", "password"], true), (nil, "form id=", ["user", "password"], false),
      ("form", "form", ["user", "password"], false), ("p", "form", ["user", "password"], true),
    ]
    for (selector, tag, names, goesOn) in forms {
      var reader = Self.reader(selector)
      PageNode.element(tag, names.map { .element("input name=" + $0, []) }).read(by: &reader)
      let isReadOn = reader.begin(PageNode.start("b"))
      #expect(isReadOn == goesOn, "\(selector ?? "-") \(tag) \(names)")
    }
  }

  @Test func aDeepPageIsReadDownToABound() {
    var reader = Self.reader()
    var isReadOn = (0..<PageParser.maximumDepth).map { _ in reader.begin(PageNode.start("div")) }
    #expect(isReadOn.allSatisfy { $0 })
    isReadOn = [reader.begin(PageNode.start("div"))]
    #expect(isReadOn == [false])
  }

  @Test(arguments: [254, 255]) func aFormHasABoundedNumberOfFields(_ others: Int) {
    let inputs = (0..<others).map { PageNode.element("input name=a\($0)", []) }
    let fields = ["user", "password"].map { PageNode.element("input name=" + $0, []) }
    let reading = Self.reading([.element("form method=post", fields + inputs)])
    #expect((reading.form == .unusable(.tooLarge)) == (others == 255))
    #expect(Self.entries(reading)?.count == (others == 254 ? 256 : nil))
  }

  @Test func eachFieldIsPostedOnce() {
    let page = Self.form("method=post", "user", "password", "user", "password")
    #expect(Self.entries(Self.reading([page])) == [.user(name: "user"), .password(name: "password")])
  }

  @Test func aFormThatIsCutOffIsNotPostedInPart() {
    let open: [(String, [String], isTooLarge: Bool)] = [
      ("form method=post", ["user", "password"], true), ("form method=post", ["user"], true),
      ("form method=post", ["password"], true), ("form method=post", ["a"], false),
      ("form method=post", [], false),
    ]
    for (tag, names, isTooLarge) in open {
      for isWhole in [false, true] {
        var reader = Self.reader()
        _ = reader.begin(PageNode.start(tag))
        for name in names { PageNode.element("input name=" + name, []).read(by: &reader) }
        let form = reader.finish(isWhole: isWhole).form
        #expect((form == .unusable(.tooLarge)) == (isTooLarge && !isWhole), "\(names)")
      }
    }
    // What has closed before is whole.
    #expect(
      Self.entries(Self.reading([Self.form("method=post", "user", "password")], isWhole: false)) != nil)
  }

  @Test func elementsAreTheSameByNameAndAttributes() {
    let element = PageNode.start("input name=a")
    #expect(element == PageNode.start("input name=a"))
    for other in ["button name=a", "input name=b", "input id=a", "input", "input name=a id=b"] {
      #expect(element != PageNode.start(other), "\(other)")
    }
  }
}
