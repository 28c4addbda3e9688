import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordVocabulary

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

  @Test(arguments: [
    ("invalid::invalid-issuer-key", "unknownIssuer@0"),
    ("pathlen::intermediate-pathlen-too-long", "pathLength@2 pathLength@3"),
    ("rfc5280::aki::leaf-missing-aki", "malformed@0"), ("rfc5280::eku::ee-wrong-eku", "invalidPurpose@0"),
    ("rfc5280::nc::permitted-dns-mismatch", "hostMismatch@0 nameConstraint@0"),
    ("rfc5280::nc::excluded-ipv6-match", "nameConstraint@0"),
    ("rfc5280::nc::intermediate-with-san-rejected-by-root-nc", "nameConstraint@2 nameConstraint@1"),
    ("rfc5280::san::ip-in-dns", "hostMismatch@0"),
    ("rfc5280::validity::expired-1-second", "expired@2 expired@1 expired@0"),
    ("rfc5280::validity::not-yet-valid-1-second", "notYetValid@2 notYetValid@1 notYetValid@0"),
    ("rfc5280::unknown-critical-extension-intermediate", "malformed@1"),
    ("rfc5280::chain-untrusted-root", "unknownIssuer@2"),
    ("rfc5280::intermediate-ca-without-ca-bit", "invalidPurpose@1"),
    ("rfc5280::ca-as-leaf-wrong-san", "invalidPurpose@0 hostMismatch@0"),
    ("webpki::san::san-wildcard-only-tld", "hostMismatch@0"), ("webpki::forbidden-p192-root", "weakKey@1"),
    ("webpki::forbidden-weak-rsa-key-in-root", "weakKey@1"),
  ])
  func everyFaultHasItsReasonAndDepth(_ identifier: String, _ reasons: String) throws {
    let example = try #require(Self.core.first { $0.identifier == identifier })
    let faults = try #require(example.evaluate())
    #expect(faults.map { "\($0.reason.rawValue)@\($0.depth)" }.joined(separator: " ") == reasons)
  }

  @Test(arguments: others)
  func otherVerdictIsTheOneListed(_ example: LimboCase) throws {
    let faults = example.evaluate()
    let answer = try #require(LimboAnswers.all[example.identifier])
    // A root over a curve without a name is not read.
    let reasons = faults?.map { "\($0.reason.rawValue)@\($0.depth)" } ?? ["unreadable"]
    #expect(reasons == answer.reasons)
    // What differs from the expectation there has its explanation here.
    #expect(((faults?.isEmpty ?? false) == example.isValid) == (answer.why == nil))
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
