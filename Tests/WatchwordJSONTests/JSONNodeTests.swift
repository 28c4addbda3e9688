import Testing
import WatchwordJSON
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct JSONNodeTests {
  @Test func everyKindIsReadAsWhatItIs() throws {
    let list = try node(#"[null,true,false,-3,1.5,"é\u0041",[1,2],{"a":1}]"#)
    let elements = Array(list.elements)
    #expect(elements.map(\.kind) == [.null, .bool, .bool, .integer, .real, .string, .array, .object])
    #expect(
      elements.map(\.typeName) == [
        "null", "boolean", "boolean", "number", "number", "string", "array", "object",
      ])
    #expect(elements.map(\.bool) == [nil, true, false, nil, nil, nil, nil, nil])
    #expect(elements.map(\.integer) == [nil, nil, nil, -3, nil, nil, nil, nil])
    #expect(elements.map(\.real) == [nil, nil, nil, nil, 1.5, nil, nil, nil])
    #expect(elements.map(\.text) == [nil, nil, nil, nil, nil, "éA", nil, nil])
    #expect(elements.map(\.textCount) == [nil, nil, nil, nil, nil, 3, nil, nil])
    #expect(elements.map(\.secret) == [nil, nil, nil, nil, nil, Secret("éA".utf8), nil, nil])
    #expect(elements.map(\.count) == [0, 0, 0, 0, 0, 0, 2, 1])
    #expect(elements.map { Array($0.elements).count } == [0, 0, 0, 0, 0, 0, 2, 0])
    #expect(list.member("a") == nil && elements[7].member("a")?.value.integer == 1)
  }

  @Test func membersKeepTheirOrderAndTheirBytes() throws {
    let object = try node(#"{"\u00e9":1,"e\u0301":2,"":3,"longer than a small text":4}"#)
    var names: [String] = []
    object.forEachMember { name, _ in
      names.append(name.text)
      return names.count < 3
    }
    #expect(names.map { Array($0.utf8) } == ["\u{E9}", "e\u{301}", ""].map { Array($0.utf8) })
    #expect(object.member("e\u{301}")?.index == 1 && object.member("e\u{301}")?.value.integer == 2)
    #expect(object.member("longer than a small text")?.index == 3)
    #expect(object.member("longer than a small tex") == nil)
    #expect(object.name(at: 2) == "" && object.name(at: 3) == "longer than a small text")
    #expect(object.name(at: 4) == nil)
  }

  @Test func membersWithTheSameValueAreToldApart() throws {
    let object = try node(#"{"a":true,"b":true,"c":null,"d":null}"#)
    #expect(["a", "b", "c", "d"].map { object.member($0)?.index } == [0, 1, 2, 3])
  }

  @Test func aNameIsComparedWhole() throws {
    var found: [Bool] = []
    try node(#"{"id":1,"i":1,"idd":1,"":1}"#).forEachMember { name, _ in
      found.append(name == "id")
      return true
    }
    #expect(found == [true, false, false, false])
  }

  /// Whichever value is left, the text is.
  @Test func aValueOutlivesTheTextAndItsNeighbours() throws {
    func inner() throws -> JSONNode? {
      try node(#"{"a":[{"b":"far inside"}]}"#).member("a")?.value.elements.first { _ in true }?.member("b")?
        .value
    }
    let value = try inner()
    #expect(value?.text == "far inside")
  }

  @Test func theLimitsAreThoseOfAValue() throws {
    var limits = JSONLimits()
    limits.stringBytes = 4
    limits.elements = 3
    _ = try node(#"["abcd","é"]"#, limits: limits)
    #expect(throws: JSONError.stringTooLong(limit: 4)) { try node(#"["abcde"]"#, limits: limits) }
    #expect(throws: JSONError.stringTooLong(limit: 4)) { try node(#"{"a":{"b":"abcde"}}"#, limits: limits) }
    _ = try node("[1,[2]]", limits: limits)
    _ = try node("[[[1]]]", limits: limits)
    #expect(throws: JSONError.tooManyMembers(limit: 3)) { try node("[1,[2,3]]", limits: limits) }
    #expect(throws: JSONError.tooManyMembers(limit: 3)) { try node("[1,1,1,1]", limits: limits) }
    #expect(throws: JSONError.tooManyMembers(limit: 3)) {
      try node(#"{"a":1,"b":{"c":{"d":1}}}"#, limits: limits)
    }
    #expect(throws: JSONError.tooDeep(limit: 64)) {
      try node(String(repeating: "[", count: 65) + String(repeating: "]", count: 65))
    }
    #expect(throws: JSONError.incomplete) { try node("") }
    #expect(throws: JSONError.self) { try node(#"{"a":1,"a":2}"#) }
  }
}
