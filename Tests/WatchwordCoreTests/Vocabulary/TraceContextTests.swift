import Testing
import WatchwordVocabulary

/// The field `traceparent`.
struct TraceContextTests {
  private static let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test(arguments: [
    text, "fe-00000000000000000000000000000001-8000000000000000-ff",
    "01-f0000000000000000000000000000000-0000000000000001-00",
  ])
  func aContextIsItsText(_ text: String) throws {
    #expect(try #require(TraceContext(text)).text == text)
  }

  @Test func contextsDiffer() {
    let other = Self.text.replacing("31-01", with: "31-00")
    #expect(TraceContext(Self.text) == TraceContext(Self.text))
    #expect(TraceContext(Self.text) != TraceContext(other))
  }

  @Test(arguments: [
    "", "00", text + "-", text + "0", " " + text, text.uppercased(), text.replacing("00-", with: "ff-"),
    text.replacing("0af7651916cd43dd8448eb211c80319c", with: String(repeating: "0", count: 32)),
    text.replacing("b7ad6b7169203331", with: String(repeating: "0", count: 16)),
    text.replacing("0af", with: "0ag"), text.replacing("0af", with: "-af"),
    text.replacing("-01", with: "--1"),
    text.replacing("-01", with: "-1"), text.replacing("0a", with: "é"),
  ])
  func anythingElseIsNone(_ text: String) { #expect(TraceContext(text) == nil) }
}
