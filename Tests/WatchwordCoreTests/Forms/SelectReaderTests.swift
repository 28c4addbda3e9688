import Testing

@testable import WatchwordCore

/// Which text of a list belongs to which option (HTML, "The select element").
struct SelectReaderTests {
  private static func reader() -> SelectReader {
    SelectReader(PageNode.start("select name=a"), owner: nil, isDisabled: false)
  }

  @Test func textBeforeTheFirstOptionIsNotWanted() {
    var reader = Self.reader()
    #expect(!reader.isInOption)
    reader.begin(PageNode.start("option"))
    #expect(reader.isInOption)
    reader.end("option")
    #expect(!reader.isInOption)
  }

  /// An option needs no end tag.
  @Test func aGroupEndsTheOptionBeforeIt() {
    var reader = Self.reader()
    reader.begin(PageNode.start("option"))
    reader.text("x")
    reader.begin(PageNode.start("optgroup"))
    #expect(!reader.isInOption)
    reader.text("y")
    #expect(reader.chosen == ["x"])
  }
}
