import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport

@Suite struct OpenRPCDocumentTests {
  /// When this fails: run `protocol/embed.py`.
  @Test func whatTheDaemonSaysOfItselfIsTheDocument() throws {
    let file = try parse(projectFile("protocol/openrpc.json"))
    let embedded = try parse(OpenRPCDocument.text.withUTF8Buffer(Array.init))
    // Compared outside, so that a failure does not print both.
    let isSame = embedded == file
    #expect(isSame)
    #expect(embedded["methods"]?.elements.isEmpty == false)
  }

  /// A line of its own, however it is framed.
  @Test func itIsOneLine() {
    #expect(OpenRPCDocument.text.withUTF8Buffer { !$0.contains(0x0A) })
  }
}
