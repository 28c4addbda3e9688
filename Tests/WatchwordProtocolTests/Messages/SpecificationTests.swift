import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport

/// The examples and rules of the JSON-RPC 2.0 specification (`Tests/Vectors/json_rpc.json`).
@Suite struct SpecificationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let replies: [JSONValue]

    var testDescription: String { name }

    static let all: [Case] = {
      guard let file = try? parse(projectFile("Tests/Vectors/json_rpc.json")) else { return [] }
      return (file["cases"]?.elements ?? []).map { entry in
        Case(
          name: entry["id"]?.text ?? "", text: entry["send"]?.text ?? "",
          replies: entry["expect"]?.elements ?? [])
      }
    }()
  }

  @Test func allCasesAreHere() {
    #expect(Case.all.count == 22)
  }

  @Test(arguments: Case.all) func theReplyIsTheSpecifications(_ one: Case) {
    let expected = one.replies.map { Answers.shape($0 == .null ? nil : $0) }
    #expect(expected.contains(Answers.shape(Answers.reply(to: one.text))))
  }

  @Test func aBatchThatIsNoJSONHasOneReply() {
    let text = """
      [
        {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method"
      ]
      """
    #expect(Answers.shape(Answers.reply(to: text)) == "2.0 null integer(-32700)")
  }
}
