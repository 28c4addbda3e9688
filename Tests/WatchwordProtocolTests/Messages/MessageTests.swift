import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct MessageTests {
  private func single(_ text: String) throws -> Message {
    guard case .single(let message) = Incoming(try node(text)) else {
      Issue.record("a batch")
      return .invalid(.null, RPCError.internalError(""))
    }
    return message
  }

  @Test func aRequestIsReadWithAllItsMembers() throws {
    let message = try single(
      #"{"descriptors":2,"params":{"url":"x"},"method":"fetch","id":7,"jsonrpc":"2.0"}"#)
    guard case .request(let request) = message else { return #expect(Bool(false)) }
    #expect(request.identifier == .integer(7))
    #expect(request.method == .known(.fetch))
    #expect(request.parameters?.count == 1 && request.parameters?.member("url")?.value.text == "x")
    #expect(request.descriptors == 2)
  }

  @Test func identifiersAreToldApartByTheirBytes() {
    let identifiers: Set<RequestIdentifier> = [
      .string("\u{E9}"), .string("e\u{301}"), .integer(1), .string("1"), .null, .string(""),
      .string("\u{E9}"),
    ]
    #expect(identifiers.count == 6)
  }

  @Test(arguments: [
    ("0", RequestIdentifier.integer(0)), ("-1", .integer(-1)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    (#""""#, .string("")), (#""7""#, .string("7")), (#""é\ud83d\ude00""#, .string("é😀")), ("null", .null),
  ]) func anIdComesBackAsItWas(_ text: String, _ identifier: RequestIdentifier) throws {
    guard case .request(let request) = try single(#"{"jsonrpc":"2.0","method":"ping","id":\#(text)}"#) else {
      return #expect(Bool(false))
    }
    #expect(request.identifier == identifier)
    let echoed = try node(written { request.identifier.write(to: &$0) })
    #expect(RequestIdentifier(echoed) == identifier)
  }

  @Test(arguments: ["1.5", "1.0", "1e2", "true", "[]", "[1]", "{}"])
  func whatIsNoIdIsAnsweredWithoutOne(_ text: String) throws {
    #expect(
      Answers.shape(Answers.reply(to: #"{"jsonrpc":"2.0","method":"ping","id":\#(text)}"#))
        == "2.0 null integer(-32600)")
  }

  @Test func anIdIsEchoedWhole() {
    let text = String(repeating: "é", count: 10_000)
    let shape = Answers.shape(Answers.reply(to: #"{"jsonrpc":"2.0","method":"ping","id":"\#(text)"}"#))
    #expect(shape == "2.0 string(\"\(text)\") integer(-32601)")
  }

  @Test(arguments: [
    (#""2.0""#, "-32601"), (#""2.1""#, "-32600"), (#""1.0""#, "-32600"), (#"" 2.0""#, "-32600"),
    ("2.0", "-32600"), ("2", "-32600"), ("null", "-32600"), ("[]", "-32600"),
  ]) func theVersionIsExact(_ version: String, _ code: String) {
    let reply = Answers.reply(to: #"{"jsonrpc":\#(version),"id":1,"method":"x","params":["y",3]}"#)
    #expect(Answers.shape(reply) == "2.0 integer(1) integer(\(code))")
  }

  @Test(arguments: ["1", "null", "true", "1.5", #""ping""#]) func onlyAnObjectIsAMessage(_ text: String) {
    #expect(Answers.shape(Answers.reply(to: text)) == "2.0 null integer(-32600)")
    #expect(Answers.shape(Answers.reply(to: "[\(text)]")) == "[2.0 null integer(-32600)]")
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"method":null}"#, #"{"jsonrpc":"2.0","id":1,"method":1}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","params":1}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","params":null}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","param":{}}"#, #"{"jsonrpc":"2.0","id":1}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","result":1}"#, #"{"id":1}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","descriptors":17}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","descriptors":-1}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","descriptors":1.0}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"x","descriptors":"1"}"#,
  ]) func whatIsNoRequestIsAnsweredWithItsId(_ text: String) {
    #expect(Answers.shape(Answers.reply(to: text)) == "2.0 integer(1) integer(-32600)")
  }

  /// Not even with an error: its sender could not tell which message it belongs to (JSON-RPC 2.0 §4.1).
  @Test(arguments: [
    #""params":1"#, #""params":null"#, #""param":{}"#, #""result":1"#, #""descriptors":17"#,
    #""descriptors":"1""#,
  ]) func aNotificationIsNeverAnswered(_ member: String) {
    let text = #"{"jsonrpc":"2.0","method":"x",\#(member)}"#
    #expect(Answers.reply(to: text) == nil)
    #expect(Answers.reply(to: "[\(text)]") == nil)
  }

  @Test(arguments: ["18446744073709551616", "-9223372036854775809", "1e400"])
  func anIdentifierOutOfRangeIsNamed(_ number: String) {
    let reply = Answers.reply(to: #"{"jsonrpc":"2.0","id" : \#(number),"method":"x"}"#)
    #expect(Answers.shape(reply) == "2.0 null integer(-32700)")
    #expect(reply?["error"]?["message"]?.text.contains("id \(number)") == true)
  }

  /// It may be a password without its quotes.
  @Test func anotherNumberOutOfRangeIsNotNamed() {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"x","params":{"password":18446744073709551616}}"#
    let message = Answers.reply(to: text)?["error"]?["message"]?.text
    #expect(message?.hasPrefix("number out of range near byte ") == true)
  }

  @Test func aLongIdentifierIsNamedInShort() {
    let text = #"{"jsonrpc":"2.0","id":\#(String(repeating: "9", count: 10_000)),"method":"x"}"#
    let message = Answers.reply(to: text)?["error"]?["message"]?.text
    #expect(message?.contains("id 9999") == true && message.map { $0.utf8.count < 200 } == true)
  }

  @Test func anEmptyListOfParametersIsNone() throws {
    guard case .request(let request) = try single(#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#)
    else {
      return #expect(Bool(false))
    }
    #expect(request.parameters == nil && !request.isPositional)
  }

  /// A notification with positional parameters is no less a notification: nothing is answered.
  @Test func positionalParametersAreRefusedByTheMethodNotByTheMessage() throws {
    let members = #""method":"ping","params":[1,"sesame"]"#
    guard case .notification(let notification) = try single(#"{"jsonrpc":"2.0",\#(members)}"#),
      case .request(let request) = try single(#"{"jsonrpc":"2.0","id":1,\#(members)}"#)
    else { return #expect(Bool(false)) }
    for sent in [notification, request] {
      #expect(sent.isPositional && sent.parameters == nil)
    }
    #expect(!"\(request)".contains("sesame"))
  }

  @Test(arguments: MethodName.allCases) func everyMethodIsKnownByItsNameAndNothingElse(_ method: MethodName)
    throws
  {
    func called(_ name: String) throws -> CalledMethod? { CalledMethod(try node("\"\(name)\"")) }
    let name = method.rawValue
    #expect(try called(name) == .known(method))
    let others = [name + "s", String(name.dropLast()), name.uppercased(), String(name.reversed()) + "/"]
    for other in others { #expect(try called(other) == .unknown(other)) }
    #expect(CalledMethod(try node("1")) == nil)
  }

  @Test func aResponseIsPassedOver() throws {
    for outcome in [#""id":1,"result":null,"descriptors":1"#, #""id":"a","error":{"code":1}"#] {
      let message = try single(#"{"jsonrpc":"2.0",\#(outcome)}"#)
      guard case .ignored = message else { return #expect(Bool(false)) }
    }
    #expect(Answers.shape(Answers.reply(to: #"{"jsonrpc":"2.0","result":1}"#)) == "2.0 null integer(-32600)")
  }

  @Test func everyMemberOfABatchIsJudgedByItself() {
    let text = #"""
      [{"jsonrpc":"2.0","id":1,"method":"x"},55,{"jsonrpc":"2.0","method":"y"},{"foo":"bar"},
       {"jsonrpc":"2.0","id":"2","result":1},[],{"jsonrpc":"2.0","id":null,"method":"z"}]
      """#
    guard case .array(let replies)? = Answers.reply(to: text) else { return #expect(Bool(false)) }
    #expect(
      replies.map(Answers.shape) == [
        "2.0 integer(1) integer(-32601)", "2.0 null integer(-32600)", "2.0 null integer(-32600)",
        "2.0 null integer(-32600)", "2.0 null integer(-32601)",
      ])
  }

  @Test func aBatchIsBounded() {
    let one = #"{"jsonrpc":"2.0","id":1,"method":"x"}"#
    func batch(_ count: Int) -> String { "[" + repeatElement(one, count: count).joined(separator: ",") + "]" }
    #expect(Answers.reply(to: batch(Message.maximumBatch))?.elements.count == Message.maximumBatch)
    let refusal = Answers.reply(to: batch(Message.maximumBatch + 1))
    #expect(Answers.shape(refusal) == "2.0 null integer(1003)")
    #expect(refusal?["error"]?["data"]?["limit"] == .string("batch"))
  }

  @Test func anUnknownMemberIsNamedInShort() throws {
    let accents = String(repeating: "\u{301}", count: 10_000)
    let text = #"{"jsonrpc":"2.0","id":1,"method":"x","a\#(accents)":1}"#
    guard case .invalid(_, let error) = try single(text) else { return #expect(Bool(false)) }
    #expect(error.message.utf8.count < 512)
    let parameters = try parameters(#"{"a\#(accents)":null}"#)
    let refusal = fault { _ = try NoParameters(parameters) }
    #expect(refusal?.kind == .invalidParams)
    #expect(refusal.map { $0.message.utf8.count < 512 } == true)
  }
}
