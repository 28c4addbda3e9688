import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport

@Suite struct OpenRPCDocumentTests {
  @Test func whatTheDaemonSaysOfItselfIsTheDocument() throws {
    let file = try parse(projectFile("protocol/openrpc.json"))
    let embedded = try parse(OpenRPCDocument.text)
    // Compared outside, so that a failure does not print both.
    let isSame = embedded == file
    #expect(isSame)
    #expect(embedded["methods"]?.elements.isEmpty == false)
  }

  /// A line of its own, however it is framed.
  @Test func itIsOneLine() {
    #expect(!OpenRPCDocument.text.contains(0x0A))
  }
}
