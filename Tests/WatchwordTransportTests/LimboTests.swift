import Testing
import WatchwordCore
import WatchwordJSON

/// x509-limbo's chains, through the evaluation that handshakes have.
@Suite struct LimboTests {
  /// The tier in which other implementations agree.
  private static let core = LimboCase.all.filter { $0.tier == "core" }
  private static let others = LimboCase.all.filter { $0.tier != "core" }

  @Test func everyCaseIsThere() {
    #expect(Self.core.count == 89)
    #expect(Self.others.count == 95)
    #expect(Set(Self.others.map(\.identifier)) == Set(LimboAnswers.all.keys))
  }

  @Test(arguments: core)
  func coreVerdictIsOurs(_ example: LimboCase) throws {
    let faults = try #require(example.evaluate())
    #expect(faults.isEmpty == example.isValid, "\(faults)")
  }

  @Test(arguments: others)
  func otherVerdictIsTheOneListed(_ example: LimboCase) throws {
    let faults = try #require(example.evaluate())
    let answer = try #require(LimboAnswers.all[example.identifier])
    #expect(faults.map { "\($0.reason.rawValue)@\($0.depth)" } == answer.reasons)
    // What differs from the expectation there has its explanation here.
    #expect((faults.isEmpty == example.isValid) == (answer.why == nil))
  }
}

/// `Tests/Vectors/limbo_answers.json`.
private enum LimboAnswers {
  struct Answer {
    let reasons: [String]
    let why: String?
  }

  static let all: [String: Answer] = Dictionary(
    uniqueKeysWithValues: VectorFile.cases("limbo_answers.json").compactMap { answer in
      guard case .string(let identifier)? = answer["id"], case .array(let reasons)? = answer["reasons"] else {
        return nil
      }
      var why: String?
      if case .string(let text)? = answer["why"] { why = text }
      let texts = reasons.compactMap { if case .string(let text) = $0 { text } else { nil } }
      return (identifier, Answer(reasons: texts, why: why))
    })
}
