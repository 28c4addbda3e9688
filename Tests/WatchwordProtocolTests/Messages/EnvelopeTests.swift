import Testing
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport

@Suite struct EnvelopeTests {
  @Test func whatGoesOutIsJSONRPC() {
    #expect(
      written { Envelope.result(to: &$0, .integer(7), descriptors: 1) { $0.emptyObject() } }
        == #"{"jsonrpc":"2.0","id":7,"descriptors":1,"result":{}}"#)
    #expect(
      written { Envelope.result(to: &$0, .null) { $0.emptyObject() } }
        == #"{"jsonrpc":"2.0","id":null,"result":{}}"#)
    #expect(
      written {
        Envelope.notification(to: &$0, "task/didFinish", Sent.TaskReference(task: "t1").write)
      }
        == #"{"jsonrpc":"2.0","method":"task/didFinish","params":{"task":"t1"}}"#)
  }

  @Test func anErrorHasItsKindItsRetryAndItsDetails() {
    let error = RPCError.invalidParams("params.headers[2][0]", "is not a header field name")
    #expect(
      written { Envelope.error(to: &$0, .string("\"é\n"), error) }
        == #"{"jsonrpc":"2.0","id":"\"é\n","error":{"code":-32602,"#
        + #""message":"params.headers[2][0]: is not a header field name","#
        + #""data":{"kind":"invalidParams","retry":"never","path":"params.headers[2][0]"}}}"#)
  }
}
