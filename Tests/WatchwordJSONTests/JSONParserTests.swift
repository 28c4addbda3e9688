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
    ("0.1000000000000000055511151231257827", .real(0.1)), ("-1.5E+3", .real(-1500)), ("1e23", .real(1e23)),
    ("8.589973428413488e-5", .real(8.589973428413488e-5)),
    ("9007199254740993.0", .real(9_007_199_254_740_992)),
    ("1e-400", .real(0)), ("-9223372036854775807", .integer(-9_223_372_036_854_775_807)),
  ])
  func numbersAreReadExactly(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e400", "-1e400",
    "123456789012345678901234567890", "1.7976931348623159e308",
  ])
  func numbersOutOfRangeAreRefused(_ text: String) {
    #expect(throws: JSONError.numberOutOfRange(offset: text.utf8.count)) { try parse(text) }
  }

  @Test(arguments: [
    ("", JSONError.incomplete), ("  ", .incomplete), ("[1,", .incomplete), (#"["a"#, .incomplete),
    (#"{"a":"#, .incomplete), ("tru", .syntax(offset: 3)), ("[1,]", .syntax(offset: 4)),
    ("[1] x", .syntax(offset: 5)),
    ("01", .syntax(offset: 1)), ("[1.]", .syntax(offset: 3)), (#"{"a" 1}"#, .syntax(offset: 6)),
    ("[1]\u{0}", .nullCharacter(offset: 3)), ("1\u{0}", .nullCharacter(offset: 1)),
    ("é", .syntax(offset: 2)), (#"["\x"]"#, .syntax(offset: 4)),
    ("/**/1", .syntax(offset: 1)), (#"{"a":1,"a":2}"#, .duplicateMember(offset: 10)),
    (#"["\u0000"]"#, .nullCharacter(offset: 9)), (#"{"a\u0000":1}"#, .nullCharacter(offset: 10)),
  ])
  func errorsSayWhatAndWhere(_ text: String, _ error: JSONError) {
    #expect(throws: error) { try parse(text) }
  }

  /// Where the character begins, whether it is wrong from its first byte or ends too early.
  @Test(arguments: [
    [0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
  ])
  func invalidUTF8IsFoundWhereItBegins(_ character: [UInt8]) {
    for before in [#"[""#, #"["é"#, #"["\n"#, #"{""#, "["] {
      let text = Array(before.utf8) + character + Array(#""]"#.utf8)
      #expect(throws: JSONError.invalidUTF8(offset: before.utf8.count)) { try parse(text) }
    }
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

  /// Few names are compared one by one, many are looked up.
  @Test(arguments: [2, 3, 15, 16, 17, 18, 40])
  func aDuplicateIsFoundAmongAnyNumberOfMembers(_ count: Int) throws {
    let inner = #"{"name0":[{"name1":1}]}"#
    let members = (0..<count).map { number in "\"name\(number)\":\(inner)" }.joined(separator: ",")
    _ = try parse("{\(members)}")
    // The same names in other objects are others.
    _ = try parse("[{\(members)},{\(members)},{\"more\":{\(members)}}]")
    for place in 0..<count {
      let text = "{\(members),\"name\(place)\""
      #expect(throws: JSONError.duplicateMember(offset: text.utf8.count)) { try parse(text + ":1}") }
    }
  }

  /// Each object costs Jansson more than 200 bytes: the limit ends the reading before any is made.
  @Test func elementsAreCountedBeforeAnyIsMade() throws {
    var limits = JSONLimits()
    limits.elements = 100
    func objects(_ count: Int) -> String {
      "[" + Array(repeating: "{}", count: count).joined(separator: " ,\n") + "]"
    }
    _ = try parse(objects(100), limits: limits)
    #expect(throws: JSONError.tooManyMembers(limit: 100)) { try parse(objects(101), limits: limits) }
    // Nobody looks at what is behind the limit, which is no JSON here.
    #expect(throws: JSONError.tooManyMembers(limit: 100)) { try parse(objects(101) + "{]", limits: limits) }
    // What separates elements separates none in a string.
    let commas = String(repeating: #"\",[{:"#, count: 1000)
    _ = try parse(#"["\#(commas)",[[]],{"\#(commas)":[ ]}]"#, limits: limits)
  }

  /// Within the limits, however costly their objects, names and strings are for Jansson.
  @Test func theCostliestTextsWithinTheLimitsAreRead() throws {
    let objects = Array(repeating: "{}", count: 99_999).joined(separator: ",")
    _ = try parse("[\(objects)]")
    let members = (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",")
    _ = try parse("{\(members)}")
    let lists = Array(repeating: "[[[[[[[[0]]]]]]]]", count: 10_000).joined(separator: ",")
    _ = try parse("[\(lists)]")
    let long = String(repeating: "x", count: 1 << 20)
    _ = try parse(#"{"\#(long)":"\#(long)","a":["\#(long)"]}"#)
    for count in 0..<300 { _ = try parse("[\(String(repeating: #""a","#, count: count))\"b\"]") }
  }

  @Test func aFaultInAFileHasALineAndAColumn() {
    for (text, place) in [
      ("{\n  \"é\": 1,\n  \"ü\" 2\n}", "near line 3, column 7"), ("x", "near line 1, column 1"),
      ("[1]\n\n ,", "near line 3, column 2"), ("\u{0}", "near line 1, column 1"),
    ] {
      let error = #expect(throws: JSONError.self) { try parse(text) }
      let said = Array(text.utf8).withUnsafeBytes { error?.text(inFile: $0) }
      #expect(said?.hasSuffix(place) == true, "\(said ?? "")")
    }
    #expect([].withUnsafeBytes { JSONError.incomplete.text(inFile: $0) } == JSONError.incomplete.text)
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
