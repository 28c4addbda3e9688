import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordVocabulary

@Suite struct ParameterReaderTests {
  private func reading<Value>(
    _ text: String, _ body: (inout ParameterReader) throws(RPCError) -> Value
  ) -> String {
    do {
      return "\(try ParameterReader.decode(try parameters(text), body))"
    } catch {
      return place(error as? RPCError)
    }
  }

  @Test(arguments: [
    ("{}", "nil"), (#"{"n":-3}"#, "Optional(-3)"), (#"{"n":3}"#, "Optional(3)"),
    (#"{"n":4}"#, "invalidParams params.n"), (#"{"n":3.0}"#, "invalidParams params.n"),
    (#"{"n":"3"}"#, "invalidParams params.n"), (#"{"n":null}"#, "invalidParams params.n"),
    (#"{"n":9223372036854775807}"#, "invalidParams params.n"),
  ]) func integersAreWholeAndInRange(_ text: String, _ expected: String) {
    #expect(
      reading(text) { reader throws(RPCError) in try reader["n"]?.integer(in: -3...3) } == expected)
  }

  @Test(arguments: [
    (#"{"n":1}"#, "Optional(1.0)"), (#"{"n":0.25}"#, "Optional(0.25)"), (#"{"n":-0.0}"#, "Optional(-0.0)"),
    (#"{"n":1.0000001}"#, "invalidParams params.n"), (#"{"n":"1"}"#, "invalidParams params.n"),
    (#"{"n":true}"#, "invalidParams params.n"),
  ]) func numbersMayBeEither(_ text: String, _ expected: String) {
    #expect(
      reading(text) { reader throws(RPCError) in try reader["n"]?.number(in: 0...1) } == expected)
  }

  @Test func aNameThatOnlyUnicodeHoldsEqualIsAnotherMember() {
    #expect(
      reading(#"{"\u212a":1}"#) { reader throws(RPCError) in try reader["K"]?.integer(in: 0...1) }
        == "invalidParams params.\u{212A}")
  }

  @Test func stringsAreBoundedInBytes() {
    func read(_ text: String) -> String {
      reading(text) { reader throws(RPCError) in try reader.required("s").string(maximumBytes: 4) }
    }
    #expect(read(#"{"s":"éé"}"#) == "éé")
    #expect(read(#"{"s":"ééé"}"#) == "invalidParams params.s")
    #expect(read("{}") == "invalidParams params.s")
  }

  @Test func secretsAreOnlySecrets() {
    func read(_ text: String) -> String {
      reading(text) { reader throws(RPCError) in try reader["password"]?.secret(maximumBytes: 6) }
    }
    #expect(read(#"{"password":"sesame"}"#) == "Optional(<secret>)")
    #expect(read(#"{"password":["sesame"]}"#) == "invalidParams params.password")
    #expect(read(#"{"password":"longer!"}"#) == "invalidParams params.password")
  }

  @Test func membersThatAreNotReadAreRefused() {
    #expect(
      reading(#"{"a":{"b":{"c":1}}}"#) { reader throws(RPCError) in
        try reader.required("a").object { reader throws(RPCError) in
          try reader.required("b").object { reader throws(RPCError) in try reader["d"]?.bool() }
        }
      } == "invalidParams params.a.b.c")
    #expect(reading("{}") { _ throws(RPCError) in 1 } == "1")
    #expect(reading(#"{"":1}"#) { _ throws(RPCError) in 1 } == "invalidParams params.")
  }

  @Test func listsAreBoundedAndNameTheElement() {
    func read(_ text: String) -> String {
      reading(text) { reader throws(RPCError) in try reader["l"]?.strings(maximum: 2) }
    }
    #expect(read(#"{"l":["a","b"]}"#) == #"Optional(["a", "b"])"#)
    #expect(read(#"{"l":["a","b","c"]}"#) == "invalidParams params.l")
    #expect(read(#"{"l":["a",null]}"#) == "invalidParams params.l[1]")
    #expect(read(#"{"l":"a"}"#) == "invalidParams params.l")
  }

  @Test(arguments: [
    ("{}", "nil"), (#"{"m":{}}"#, "Optional([:])"), (#"{"m":{"a":true}}"#, #"Optional(["a": true])"#),
    (#"{"m":{"a":1}}"#, "invalidParams params.m.a"), (#"{"m":{"éé":true}}"#, #"Optional(["éé": true])"#),
    (#"{"m":{"ééé":true}}"#, "invalidParams params.m.ééé"), (#"{"m":{"":true}}"#, "invalidParams params.m."),
    (#"{"m":{"a":true,"b":true,"c":true}}"#, "invalidParams params.m"),
    (#"{"m":[]}"#, "invalidParams params.m"),
  ]) func namesThatAreChosenHaveBounds(_ text: String, _ expected: String) {
    #expect(
      reading(text) { reader throws(RPCError) in
        try reader["m"]?.map(maximum: 2, nameBytes: 1...4) { element throws(RPCError) in try element.bool() }
      } == expected)
  }

  @Test func amongManyMembersTheFirstUnknownIsNamed() {
    let many = (0..<100).map { "\"m\($0)\":true" }.joined(separator: ",")
    #expect(
      reading("{\(many)}") { reader throws(RPCError) in
        for index in 0..<63 { _ = try reader["m\(index)"]?.bool() }
        return 1
      } == "invalidParams params.m63")
    #expect(
      reading("{\(many)}") { reader throws(RPCError) in try reader.members(maximum: 100).count } == "100")
    #expect(
      reading("{\(many)}") { reader throws(RPCError) in try reader.members(maximum: 99).count }
        == "invalidParams params")
  }

  @Test func nullIsAValueUnlessTheReaderSaysOtherwise() {
    func read(_ text: String) -> String {
      reading(text) { reader throws(RPCError) in try reader["s"]?.unlessNull?.string() }
    }
    #expect(read(#"{"s":null}"#) == "nil" && read("{}") == "nil" && read(#"{"s":"a"}"#) == #"Optional("a")"#)
    #expect(read(#"{"s":false}"#) == "invalidParams params.s")
  }

  @Test func anElementOfAListInAListHasBothPlaces() {
    #expect(
      reading(#"{"l":[[1],[1,"a"]]}"#) { reader throws(RPCError) in
        try reader.required("l").array(maximum: 2) { inner throws(RPCError) in
          try inner.array(maximum: 2) { element throws(RPCError) in try element.integer(in: 0...1) }
        }
      } == "invalidParams params.l[1][1]")
  }
}
