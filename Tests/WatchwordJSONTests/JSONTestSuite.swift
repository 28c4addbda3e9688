import Glibc
import Testing
import WatchwordJSON
import WatchwordTestSupport

/// One case of JSONTestSuite (`Tests/Vectors/json_test_suite.json`).
struct SuiteCase: Sendable, CustomTestStringConvertible {
  let name: String
  let text: [UInt8]

  var testDescription: String { name }

  static let all = load("parsing")
  static let transforms = load("transform")
  static let taken = (all + transforms).filter { (try? parse($0.text)) != nil }

  private static func load(_ list: String) -> [SuiteCase] {
    guard let file = try? parse(vectors("json_test_suite.json")) else { return [] }
    return (file[list]?.elements ?? []).map { entry in
      var unit = Array((entry["text"]?.text ?? "").utf8)
      if let digits = entry["hex"]?.text { unit = bytes(hexadecimal: digits) }
      var times = 1
      if case .integer(let count) = entry["times"] { times = Int(count) }
      let text = Array(repeatElement(unit, count: times).joined())
      return SuiteCase(name: entry["name"]?.text ?? "", text: text + Array((entry["end"]?.text ?? "").utf8))
    }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func vectors(_ name: String) -> [UInt8] {
    let here = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let file = open("/\(here)/Vectors/\(name)", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}

@Suite struct JSONTestSuiteTests {
  /// What the suite asks to take and we refuse: two members of one name mean something else to every reader,
  /// and C strings end at a null character.
  private static let refusedOnPurpose: [String: @Sendable (JSONError) -> Bool] = [
    "y_object_duplicated_key.json": { if case .duplicateMember = $0 { true } else { false } },
    "y_object_duplicated_key_and_value.json": { if case .duplicateMember = $0 { true } else { false } },
    "y_object_escaped_null_in_key.json": { if case .nullCharacter = $0 { true } else { false } },
    "y_string_null_escape.json": { if case .nullCharacter = $0 { true } else { false } },
  ]

  /// What it leaves open, and we take: spellings of numbers that a double can hold.
  private static let takenOnPurpose: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json",
  ]

  @Test func allCasesAreHere() {
    #expect(SuiteCase.all.filter { $0.name.hasPrefix("y_") }.count == 95)
    #expect(SuiteCase.all.filter { $0.name.hasPrefix("n_") }.count == 188)
    #expect(SuiteCase.all.filter { $0.name.hasPrefix("i_") }.count == 35)
    #expect(SuiteCase.taken.filter { $0.name.hasPrefix("y_") }.count == 91)
  }

  @Test(arguments: SuiteCase.all.filter { $0.name.hasPrefix("y_") })
  func whatIsJSONIsTaken(_ one: SuiteCase) throws {
    if let isExpected = JSONTestSuiteTests.refusedOnPurpose[one.name] {
      do throws(JSONError) {
        _ = try parse(one.text)
        Issue.record("taken")
      } catch {
        #expect(isExpected(error))
      }
    } else {
      _ = try parse(one.text)
    }
  }

  @Test(arguments: SuiteCase.all.filter { $0.name.hasPrefix("n_") })
  func whatIsNotJSONIsRefused(_ one: SuiteCase) {
    #expect(throws: JSONError.self) { try parse(one.text) }
  }

  @Test(arguments: SuiteCase.all.filter { $0.name.hasPrefix("i_") })
  func whatIsLeftOpenIsDecided(_ one: SuiteCase) {
    let isTaken = (try? parse(one.text)) != nil
    #expect(isTaken == JSONTestSuiteTests.takenOnPurpose.contains(one.name))
  }

  /// What was read and written again reads as the same value.
  @Test(arguments: SuiteCase.taken) func whatIsTakenCanBeWritten(_ one: SuiteCase) throws {
    let value = try parse(one.text)
    #expect(try parse(written { $0.value(value) }) == value)
  }

  @Test(arguments: SuiteCase.all.filter { $0.text.count < 1000 })
  func everyBeginningIsJudgedWithoutACrash(_ one: SuiteCase) throws {
    for count in 0..<one.text.count {
      let beginning = Array(one.text[..<count])
      guard let value = try? parse(beginning) else { continue }
      #expect(try parse(written { $0.value(value) }) == value)
    }
  }

  @Test(
    arguments: SuiteCase.taken.filter {
      $0.text.count < 1000 && ($0.text.first == 0x5B || $0.text.first == 0x7B)
    })
  func aDocumentInBracketsHasNoBeginningThatIsOne(_ one: SuiteCase) throws {
    let end = try #require(one.text.lastIndex { $0 == 0x5D || $0 == 0x7D })
    for count in 0...end { #expect(throws: JSONError.self) { try parse(Array(one.text[..<count])) } }
  }
}
