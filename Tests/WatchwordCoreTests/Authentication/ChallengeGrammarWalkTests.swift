import Testing
import WatchwordCore
import WatchwordVocabulary

/// Random lists of challenges, spelled in every way the grammar allows, must be read as they were meant; and
/// whatever is done to the spelling, nothing may crash or come out of the inside of a quoted string.
@Suite struct ChallengeGrammarWalkTests {
  private static let tokenAlphabet = "abcXYZ019!#$%&'*+-.^_`|~"
  private static let quotedAlphabet = "abc XYZ019,=\"\\/:;()<>@[]{}?\tä語🔑Basic"
  private static let token68Alphabet = "abcXYZ019-._~+/"

  private static func challenge(_ random: inout SeededGenerator) -> RawChallenge {
    var challenge = RawChallenge(scheme: random.text(of: tokenAlphabet, count: 1..<8).lowercased())
    switch random.below(4) {
    case 0: break
    case 1:
      let padding = String(repeating: "=", count: random.below(4))
      challenge.token68 = random.text(of: token68Alphabet, count: 1..<20) + padding
    default:
      var names: Set<String> = []
      for _ in 0..<(1 + random.below(6)) {
        let name = random.text(of: tokenAlphabet, count: 1..<6).lowercased()
        guard names.insert(name).inserted else { continue }
        let isToken = random.oneIn(2)
        let value = random.text(
          of: isToken ? tokenAlphabet : quotedAlphabet, count: isToken ? 1..<9 : 0..<20)
        challenge.parameters.append(AuthenticationParameter(name, OctetString(value)))
      }
    }
    return challenge
  }

  /// One of the many ways to write `challenges`, as a field or spread over several.
  private static func fields(_ challenges: [RawChallenge], _ random: inout SeededGenerator) -> [String] {
    var fields: [String] = []
    var current = ""
    for challenge in challenges {
      if !current.isEmpty, random.oneIn(3) {
        fields.append(current)
        current = ""
      }
      if !current.isEmpty || random.oneIn(8) { current += separator(&random) }
      current += random.oneIn(2) ? challenge.scheme : challenge.scheme.uppercased()
      if let token = challenge.token68 { current += space(&random, atLeast: 1) + token }
      for (index, parameter) in challenge.parameters.enumerated() {
        let isPlain = index > 0 || random.oneIn(8)
        current += isPlain ? separator(&random) : space(&random, atLeast: 1)
        current += random.oneIn(2) ? parameter.name : parameter.name.uppercased()
        current += space(&random) + "=" + space(&random) + spelled(parameter.value.text, &random)
      }
      if random.oneIn(8) { current += space(&random) }
    }
    return fields + [current]
  }

  private static func space(_ random: inout SeededGenerator, atLeast minimum: Int = 0) -> String {
    (0..<(minimum + (random.oneIn(4) ? random.below(3) : 0)))
      .map { _ in random.pick([" ", " ", " ", "\t", "\r\n "]) }.joined()
  }

  private static func separator(_ random: inout SeededGenerator) -> String {
    space(&random) + "," + space(&random) + (random.oneIn(6) ? separator(&random) : "")
  }

  private static func spelled(_ value: String, _ random: inout SeededGenerator) -> String {
    let isToken =
      !value.isEmpty && value.unicodeScalars.allSatisfy { tokenAlphabet.unicodeScalars.contains($0) }
    if isToken, random.oneIn(2) { return value }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || random.oneIn(10) { quoted.append("\\") }
      quoted.append(scalar)
    }
    return String(quoted) + "\""
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func whatIsWrittenIsRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let challenges = (0..<(1 + random.below(5))).map { _ in Self.challenge(&random) }
      let fields = Self.fields(challenges, &random)
      #expect(ChallengeHeaderParser.parse(fields) == challenges, "seed \(seed): \(fields)")
    }
  }

  @Test(arguments: 21...40 as ClosedRange<UInt64>)
  func damagedFieldsYieldNothingThatWasNotThere(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let challenges = (0..<3).map { _ in Self.challenge(&random) }
      var bytes = Array(Self.fields(challenges, &random).joined(separator: ",").utf8)
      let end = random.below(bytes.count + 1)
      let truncated = ChallengeHeaderParser.parse([String(decoding: bytes[..<end], as: UTF8.self)])
      // What is left of a cut parameter's name reads as a scheme, and the challenge before it as finished.
      for (read, written) in zip(truncated.dropLast(2), challenges) {
        #expect(read == written, "seed \(seed), cut at \(end)")
      }
      for (read, written) in zip(truncated.dropLast(), challenges) {
        #expect(written.parameters.starts(with: read.parameters), "seed \(seed), cut at \(end)")
      }
      #expect(truncated.count <= challenges.count + 1, "seed \(seed), cut at \(end)")
      for _ in 0..<(1 + random.below(4)) {
        bytes[random.below(bytes.count)] = UInt8(random.pick(Array("\",=\\ a\0\r\n\u{7F}".utf8)))
      }
      for read in ChallengeHeaderParser.parse([String(decoding: bytes, as: UTF8.self)]) {
        let values =
          read.parameters.flatMap { [$0.name, $0.value.text] } + [read.scheme, read.token68 ?? ""]
        #expect(!values.contains { $0.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 || $0 == 0x7F } })
      }
    }
  }

  /// A field that is one quoted string from end to end holds no challenge but its own.
  @Test(arguments: 41...50 as ClosedRange<UInt64>)
  func insideOfAQuotedStringStaysInside(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let inner = Self.fields((0..<2).map { _ in Self.challenge(&random) }, &random)
        .joined(separator: ",").replacing("\r\n", with: "")
      let field = "Outer p=\(Self.spelled(inner + ",", &random))"
      let expected = RawChallenge(
        scheme: "outer", parameters: [AuthenticationParameter("p", OctetString(inner + ","))])
      #expect(ChallengeHeaderParser.parse([field]) == [expected], "seed \(seed)")
      #expect(ChallengeHeaderParser.parse([String(field.dropLast())]).isEmpty, "seed \(seed)")
    }
  }
}
