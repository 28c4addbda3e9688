import Testing
import WatchwordJSON
import WatchwordTestSupport

@Suite struct JSONParserTests {
  @Test func everyKindOfValueIsRead() throws {
    let value = try parse(
      #" {"null":null,"yes":true,"no":false,"one":1,"half":-0.5e0,"text":"a\u00e9\ud83d\ude00","list":[1,[]],"more":{}} "#
    )
    let expected: JSONObject = [
      "null": .null, "yes": .bool(true), "no": .bool(false), "one": .integer(1), "half": .real(-0.5),
      "text": .string("aé😀"), "list": .array([.integer(1), .array([])]), "more": .object([:]),
    ]
    #expect(value == .object(expected))
  }

  @Test func membersKeepTheirOrder() throws {
    let names = (0..<200).map { "member\(($0 * 7919) % 200)" }
    let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    guard case .object(let object) = try parse(text) else { return #expect(Bool(false)) }
    #expect(object.members.map(\.name) == names)
  }

  @Test func namesThatOnlyUnicodeHoldsEqualAreTwoMembers() throws {
    guard case .object(let object) = try parse(#"{"\u00e9":1,"e\u0301":2,"\u212a":3}"#) else {
      return #expect(Bool(false))
    }
    #expect(object.members.count == 3)
    #expect(object["\u{E9}"] == .integer(1) && object["e\u{301}"] == .integer(2))
    #expect(object["K"] == nil)
  }

  @Test(arguments: [
    ("9223372036854775807", JSONValue.integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("-0", .integer(0)), ("1.0", .real(1)), ("1e3", .real(1000)), ("4.9e-324", .real(.leastNonzeroMagnitude)),
    ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
    ("0.1000000000000000055511151231257827", .real(0.1)),
  ])
  func numbersAreReadExactly(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "123456789012345678901234567890",
  ])
  func numbersOutOfRangeAreRefused(_ text: String) {
    #expect(throws: JSONError.numberOutOfRange(offset: text.utf8.count)) { try parse(text) }
  }

  @Test func errorsSayWhatAndWhere() {
    #expect(throws: JSONError.incomplete) { try parse("") }
    #expect(throws: JSONError.incomplete) { try parse("[1,") }
    #expect(throws: JSONError.syntax(offset: 4)) { try parse("[1,]") }
    #expect(throws: JSONError.syntax(offset: 5)) { try parse("[1] x") }
    #expect(throws: JSONError.invalidUTF8(offset: 2)) { try parse([0x5B, 0x22, 0xFF, 0x22, 0x5D]) }
    #expect(throws: JSONError.duplicateMember(offset: 10)) { try parse(#"{"a":1,"a":2}"#) }
    #expect(throws: JSONError.nullCharacter(offset: 9)) { try parse(#"["\u0000"]"#) }
  }

  @Test(arguments: [#"["\ud800"]"#, #"["\udc00\ud800"]"#, #"["\ud800\u0041"]"#, #"{"\udfff":1}"#])
  func loneSurrogatesAreRefused(_ text: String) {
    #expect(throws: JSONError.self) { try parse(text) }
  }

  /// Also where the two are spelled differently.
  @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":1}"#, #"[{"x":{"b":1,"c":2,"b":3}}]"#])
  func duplicateMembersAreRefused(_ text: String) {
    do throws(JSONError) {
      _ = try parse(text)
      Issue.record("taken")
    } catch {
      if case .duplicateMember = error {} else { Issue.record("\(error)") }
    }
  }

  @Test func nestingIsBoundedBeforeAnythingRecurses() throws {
    let limits = JSONLimits()
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try parse(nested(limits.nesting))
    #expect(throws: JSONError.tooDeep(limit: 64)) { try parse(nested(limits.nesting + 1)) }
    #expect(throws: JSONError.tooDeep(limit: 64)) { try parse(String(repeating: #"{"a":"#, count: 65)) }
    #expect(throws: JSONError.tooDeep(limit: 64)) { try parse(String(repeating: "[", count: 1_000_000)) }
  }

  @Test func bracketsInStringsAndBesideEachOtherAreNotNesting() throws {
    _ = try parse("[\"" + String(repeating: "[{", count: 500) + "\"]")
    _ = try parse("[\"" + String(repeating: "\\\"[", count: 500) + "\"]")
    _ = try parse("[" + String(repeating: "[],", count: 500) + "[]]")
    #expect(throws: JSONError.tooDeep(limit: 64)) {
      try parse(#"["\\", "# + String(repeating: "[", count: 70))
    }
  }

  @Test func stringsAndMembersAreBounded() throws {
    var limits = JSONLimits()
    limits.stringBytes = 4
    limits.elements = 3
    _ = try parse(#"["abcd","é"]"#, limits: limits)
    #expect(throws: JSONError.stringTooLong(limit: 4)) { try parse(#"["abcde"]"#, limits: limits) }
    _ = try parse("[1,[2]]", limits: limits)
    #expect(throws: JSONError.tooManyMembers(limit: 3)) { try parse("[1,[2,3]]", limits: limits) }
    #expect(throws: JSONError.tooManyMembers(limit: 3)) {
      try parse(#"{"a":{"b":1},"c":{"d":1}}"#, limits: limits)
    }
  }

  @Test func anErrorHoldsNothingOfTheText() {
    for text in [#"{"password":"sesame" x"#, #"{"password":"sesame"#, #"["sesame",]"#, "sesame"] {
      do throws(JSONError) {
        _ = try parse(text)
        Issue.record("taken")
      } catch {
        #expect(!"\(error) \(error.text)".contains("sesame"))
      }
    }
  }
}
