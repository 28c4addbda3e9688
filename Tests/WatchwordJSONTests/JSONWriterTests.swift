import Testing
import WatchwordJSON
import WatchwordTestSupport

@Suite struct JSONWriterTests {
  @Test func structureHasItsCommas() {
    let text = written { writer in
      writer.beginObject()
      writer.key("a")
      writer.beginArray()
      writer.integer(1)
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.null()
      writer.endArray()
      writer.key(escaping: "b\"c")
      writer.bool(true)
      writer.key("d")
      writer.raw(#"{"e":[]}"#.utf8)
      writer.key("f")
      writer.string("g" as StaticString)
      writer.endObject()
    }
    #expect(text == #"{"a":[1,[],{},null],"b\"c":true,"d":{"e":[]},"f":"g"}"#)
  }

  @Test func aSecondTextStandsBehindTheFirst() {
    let text = written { writer in
      for _ in 0..<2 {
        writer.startAgain()
        writer.beginObject()
        writer.endObject()
        writer.buffer.append(UInt8(ascii: "\n"))
      }
    }
    #expect(text == "{}\n{}\n")
  }

  @Test func everyScalarIsReadBackAsItWasWritten() throws {
    // All but the null character, which is refused on the way in.
    var scalars = (1...0x10FFFF).compactMap(Unicode.Scalar.init)[...]
    while !scalars.isEmpty {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars.prefix(20_000))
      scalars = scalars.dropFirst(20_000)
      #expect(try parse(written { $0.string(String(text)) }) == .string(String(text)))
    }
  }

  /// Eight bytes are looked at at once: an escape at each place of each length.
  @Test func everyPlaceOfAnEscapeIsFound() throws {
    for length in 0..<34 {
      for place in 0..<max(1, length) {
        for special in ["\"", "\\", "\u{1}", "\u{1F}", "\u{7F}", "\n", "a", "\u{80}", " ", "!", "[", "]"] {
          var text = Array(repeating: "x", count: length)
          if place < length { text[place] = special }
          let joined = text.joined()
          #expect(try parse(written { $0.string(joined) }) == .string(joined))
        }
      }
    }
  }

  @Test func controlCharactersNeverStandForThemselves() {
    for code in 0..<UInt8(0x20) {
      let text = written { $0.string(String(Unicode.Scalar(code))) }
      #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
      #expect(text.hasPrefix("\"\\"))
    }
    #expect(written { $0.string("\u{7F}") } == #""\u007f""#)
  }

  @Test func substringsAreWrittenWhole() throws {
    let text = "öffne \"dich\"\n"
    #expect(try parse(written { $0.string(text.dropFirst()) }) == .string(String(text.dropFirst())))
  }

  @Test func integersAreWrittenInDecimal() throws {
    var numbers: [Int64] = [0, 1, 9, 10, 99, 100, -1, -9, -10, .max, .min, .max - 1, .min + 1]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power, power - 1, -power, 1 - power]
    }
    for number in numbers {
      #expect(written { $0.integer(number) } == String(number))
      #expect(try parse(written { $0.integer(number) }) == .integer(number))
    }
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(UInt8(7)) } == "7")
  }

  @Test func realsAreReadBackBitByBit() throws {
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e-5, .leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, .pi,
    ]
    var generator = Repeatable(state: 42)
    while numbers.count < 20_000 {
      let number = Double(bitPattern: generator.next())
      if number.isFinite { numbers.append(number) }
    }
    for number in numbers {
      let text = written { $0.real(number) }
      guard case .real(let read) = try parse(text) else {
        Issue.record("\(text) is not a real")
        return
      }
      #expect(read.bitPattern == number.bitPattern)
    }
  }

  @Test func whatIsNoNumberIsNull() {
    for number in [Double.nan, .infinity, -.infinity] { #expect(written { $0.real(number) } == "null") }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func base64IsThatOfRFC4648(_ text: String, _ expected: String) {
    let bytes = Array(text.utf8)
    #expect(written { writer in bytes.withUnsafeBytes { writer.base64($0) } } == "\"\(expected)\"")
  }

  @Test func base64UsesTheWholeAlphabet() {
    let bytes: [UInt8] = [0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8B, 0x30, 0xD3, 0x8F]
    let more: [UInt8] = [0xFB, 0xFF, 0xBF]
    #expect(written { writer in bytes.withUnsafeBytes { writer.base64($0) } } == "\"ABCDEFGHIJKLMNOP\"")
    #expect(written { writer in more.withUnsafeBytes { writer.base64($0) } } == "\"+/+/\"")
  }

  @Test func nestedValuesAreReadBack() throws {
    var generator = Repeatable(state: 7)
    for _ in 0..<300 {
      let value = generator.value(depth: 5)
      #expect(try parse(written { $0.value(value) }) == value)
    }
  }

  /// Ten times as much takes about ten times as long; growing by exactly what is needed would take a hundred.
  @Test func theBufferGrowsGeometrically() {
    var writer = JSONWriter()
    var growths = 0
    var capacity = writer.buffer.capacity
    for _ in 0..<100_000 {
      writer.string("twenty bytes of text")
      if writer.buffer.capacity != capacity {
        growths += 1
        capacity = writer.buffer.capacity
      }
    }
    #expect(growths < 40)
  }
}

/// Pseudorandom numbers that are the same in every run (splitmix64).
private struct Repeatable: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .integer(Int64(bitPattern: next()))
    case 3: return .real(Double.random(in: -1e9...1e9, using: &self))
    case 4, 5: return .string(text())
    case 6: return .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in value(depth: depth - 1) })
    default:
      let members = (0..<Int.random(in: 0..<6, using: &self)).map {
        JSONObject.Member(name: "\($0)\(text())", value: value(depth: depth - 1))
      }
      return .object(JSONObject(members))
    }
  }

  private mutating func text() -> String {
    let scalars = (0..<Int.random(in: 0..<20, using: &self)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: 1...0x250, using: &self))
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
