import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct ErrorKindTests {
  @Test func theTableIsTheOneOfTheProtocol() throws {
    let table = try parse(projectFile("protocol/errors.json")).elements.map { entry in
      "\(entry["code"] ?? .null) \(entry["kind"]?.text ?? "") \(entry["retry"]?.text ?? "")"
    }
    let kinds = ErrorKind.allCases.map {
      "\(JSONValue.integer(Int64($0.code))) \($0.rawValue) \($0.retry.rawValue)"
    }
    #expect(kinds == table)
    #expect(table.count > 40)
  }

  @Test func codesAreToldApart() {
    #expect(Set(ErrorKind.allCases.map(\.code)).count == ErrorKind.allCases.count)
  }
}
