import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What sources say as text (storage.md 9.7, git-credential(1)).
struct SourceTexts {
  private static func helper(
    _ text: String, _ method: AuthenticationMethod = .basic
  ) throws(SourceFault) -> SourceAnswer {
    let secret = Secret(Array(text.utf8))
    return try secret.withBytes { bytes throws(SourceFault) in
      try SourceText.credential(ofHelper: bytes, for: method, now: 0)
    }
  }

  private static func file(
    _ text: String, user: String?, _ method: AuthenticationMethod
  ) throws(SourceFault) -> SourceAnswer {
    let secret = Secret(Array(text.utf8))
    return try secret.withBytes { bytes throws(SourceFault) in
      try SourceText.credential(inFile: bytes, user: user, for: method)
    }
  }

  private static func password(_ user: String, _ password: String) -> Credential.Kind {
    .password(user: user, password: Secret(Array(password.utf8)))
  }

  @Test func aHelperGivesAPassword() throws {
    let answer = try Self.helper("protocol=https\nusername=u\npassword=p=q\npassword_expiry_utc=1700000000\n")
    #expect(answer == SourceAnswer(Self.password("u", "p=q"), notAfter: 1_700_000_000))
  }

  @Test func whatFollowsAnEmptyLineDoesNotCount() throws {
    #expect(try Self.helper("username=u\npassword=p\n\npassword=x\n").kind == Self.password("u", "p"))
  }

  @Test func aHelperGivesAToken() throws {
    let answer = try Self.helper("authtype=Bearer\ncredential=t0k\nephemeral=1\n", .bearer)
    #expect(answer == SourceAnswer(.token(Secret(Array("t0k".utf8)))))
  }

  @Test func aHelperIsToldWhatGitPassesOn() {
    let said = Secret(
      """
      capability[]=authtype
      capability[]=state
      state[]=s
      username=old
      username=u
      password=p=q
      oauth_refresh_token=r
      password_expiry_utc=9
      wwwauth[]=Basic
      quit=0

      password=x
      """.utf8)
    let origin = Origin(scheme: .http, host: "::1", port: 8080)
    let receipt = said.withBytes { SourceText.receipt(ofHelper: $0, for: origin) }
    let expected = """
      protocol=http
      host=[::1]:8080
      capability[]=authtype
      oauth_refresh_token=r
      password=p=q
      password_expiry_utc=9
      username=u


      """
    #expect(receipt == Secret(expected.utf8))
  }

  @Test(arguments: [
    ("", AuthenticationMethod.basic, SourceFault.empty), ("username=u\n", .basic, .empty),
    ("password=p\n", .basic, .unfit), ("username=u\npassword=p\n", .bearer, .unfit),
    ("authtype=Bearer\ncredential=t\n", .basic, .unfit), ("authtype=Digest\ncredential=t\n", .basic, .unfit),
    ("authtype=Bearer\n", .bearer, .malformed), ("username\n", .basic, .malformed),
    ("username=u\npassword=p\u{0}\n", .basic, .malformed),
    ("username=u\npassword=p\npassword_expiry_utc=soon\n", .basic, .malformed),
    ("username=u\npassword=p\npassword_expiry_utc=0\n", .basic, .expired),
    ("quit=1\n", .basic, .stopped), ("username=u\nquit=on\n", .basic, .stopped),
    ("password=p\nquit=true\n", .basic, .stopped), ("quit=0\n", .basic, .empty),
    ("quit=no\n", .basic, .empty),
    // Neither half is an answer.
    ("authtype=Bearer\nquit=1\n", .bearer, .stopped), ("credential=t\nquit=1\n", .bearer, .stopped),
    ("credential=t\n", .bearer, .empty),
    ("username=u\npassword=p\npassword_expiry_utc=inf\n", .basic, .malformed),
  ])
  func aHelperThatIsWrongIsRefused(_ text: String, _ method: AuthenticationMethod, _ fault: SourceFault) {
    #expect(throws: fault) { try Self.helper(text, method) }
  }

  /// As for git, a whole credential counts although the helper says that it stops.
  @Test func aWholeAnswerThatStopsCounts() throws {
    let password = try Self.helper("username=u\npassword=p\nquit=1\n")
    #expect(password.kind == Self.password("u", "p"))
    let token = try Self.helper("authtype=bearer\ncredential=t\nquit=1\n", .bearer)
    #expect(token.kind == .token(Secret("t".utf8)))
  }

  @Test(arguments: [("p\n", "p"), ("p\r\n", "p"), ("p", "p"), (" p ", " p ")])
  func oneLineEndDoesNotCount(_ text: String, _ password: String) throws {
    #expect(try Self.file(text, user: "u", .digest).kind == Self.password("u", password))
  }

  @Test(arguments: [("", SourceFault.empty), ("\n", .empty), ("a\nb\n", .malformed), ("a\u{0}", .malformed)])
  func aFileThatIsWrongIsRefused(_ text: String, _ fault: SourceFault) {
    #expect(throws: fault) { try Self.file(text, user: nil, .bearer) }
  }

  @Test func aServerCannotAddToTheQuestion() {
    let request = SourceRequest(
      "pages", for: BoardScene.space("staff"), purpose: .challenge("c1"),
      challenges: ["Basic realm=\"a\"", "Basic\nhost=evil", String(repeating: "x", count: 3_000)])
    #expect(
      String(decoding: SourceText.question(request), as: UTF8.self)
        == "capability[]=authtype\nprotocol=https\nhost=a.example\nwwwauth[]=Basic realm=\"a\"\n\n")
  }

  /// As for git, a whole credential counts although the helper ends the search.
  @Test(
    arguments: [
      ("username=u\npassword=p\n", true), ("username=u\n", false), ("password=p\n", false), ("", false),
      ("authtype=Bearer\ncredential=t\n", true), ("credential=t\n", false), ("authtype=Bearer\n", false),
      ("username=u\ncredential=t\n", false), ("authtype=Bearer\npassword=p\n", false),
    ])
  func onlyAWholeCredentialCountsAfterTheEnd(text: String, isWhole: Bool) {
    var fault: SourceFault?
    do throws(SourceFault) {
      _ = try Self.helper(text + "quit=1\n", text.contains("Bearer") ? .bearer : .basic)
    } catch { fault = error }
    #expect((fault == .stopped) == !isWhole && (fault == nil) == isWhole)
  }

  /// A helper's buffer must hold the question.
  @Test func aQuestionNamesOnlySoMuchOfTheChallenges() {
    let space = ProtectionSpace(
      origin: Origin(scheme: .https, host: "a.example", port: 443), realm: "r", authenticationMethod: .basic)
    func named(_ challenges: [String]) -> Int {
      let request = SourceRequest("s", for: space, purpose: .renewal, challenges: challenges)
      let text = String(decoding: SourceText.question(request), as: UTF8.self)
      return text.split(separator: "\n").count { $0.hasPrefix("wwwauth[]=") }
    }
    for (count, expected) in [(2047, 1), (2048, 1), (2049, 0)] {
      #expect(named([String(repeating: "x", count: count)]) == expected)
    }
    #expect(named(Array(repeating: "Basic", count: 9)) == 8 && named(["a\nb", "c\u{7F}"]) == 0)
  }
}
