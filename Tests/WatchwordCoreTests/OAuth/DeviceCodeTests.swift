import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A person lets a source have a token (RFC 8628, methods.md 9.10.7).
struct DeviceCodes {
  private static let prompt = DevicePrompt(
    verificationURI: "https://id.example/activate", userCode: "ABCD", completeURI: nil)!

  private static func issued(
    _ code: String = "code", lifetime: Double = 100, interval: Double? = 5
  ) -> Result<TokenReply.Answer, SourceFault> {
    var members = TokenReply.Members()
    members.deviceCode = Secret(code.utf8)
    members.userCode = "ABCD"
    members.verificationURI = "https://id.example/activate"
    members.expiresIn = lifetime
    members.interval = interval
    return .success(TokenReply.Answer(status: 200, members))
  }

  private static func token(
    _ token: String = "token", refreshToken: String? = nil
  ) -> Result<TokenReply.Answer, SourceFault> {
    var members = TokenReply.Members()
    members.accessToken = Secret(token.utf8)
    members.tokenType = "Bearer"
    members.expiresIn = 100
    members.refreshToken = refreshToken.map { Secret($0.utf8) }
    return .success(TokenReply.Answer(status: 200, members))
  }

  private static func says(_ error: String) -> Result<TokenReply.Answer, SourceFault> {
    var members = TokenReply.Members()
    members.error = error
    return .success(TokenReply.Answer(status: 400, members))
  }

  private static var person: TokenStateMachine.Want {
    var want = TokenStateMachine.Want()
    want.mayPrompt = true
    return want
  }

  private static func poll(_ code: String = "code") -> TokenStateMachine.Effect {
    .send(.deviceCode(Secret(code.utf8)))
  }

  /// A machine whose reader 1 shows a code since time 0.
  private static func prompting(_ interval: Double? = 5, lifetime: Double = 100) -> TokenStateMachine {
    var machine = TokenStateMachine(.deviceCode, hasFile: false)
    #expect(machine.read(1, person, now: 0) == [.send(.deviceAuthorization)])
    #expect(machine.received(issued(lifetime: lifetime, interval: interval), now: 0) == [.show(1, prompt)])
    return machine
  }

  @Test func oneCodeServesAllThatWait() {
    var machine = Self.prompting()
    #expect(machine.isPrompting)
    #expect(machine.read(2, Self.person, now: 1) == [.show(2, Self.prompt)])
    #expect(machine.read(3, now: 1) == [.fail(3, .promptNeeded)])
    #expect(machine.tick(now: 4) == [])
    #expect(machine.tick(now: 5) == [Self.poll()])
    #expect(machine.nextTick == nil)
    #expect(
      machine.received(Self.token(), now: 6) == [
        .give(1, Secret("token".utf8), seconds: 100), .give(2, Secret("token".utf8), seconds: 100),
      ])
    #expect(!machine.isPrompting)
    #expect(machine.lastFault == nil)
  }

  @Test func withoutADelegateToShowItNoCodeIsAskedFor() {
    var machine = TokenStateMachine(.deviceCode, hasFile: false)
    #expect(machine.read(1, now: 0) == [.fail(1, .promptNeeded)])
  }

  @Test func theIntervalIsKept() {
    var machine = Self.prompting(nil)
    #expect(machine.nextTick == 5)
    _ = machine.tick(now: 5)
    #expect(machine.received(Self.says("authorization_pending"), now: 6) == [])
    #expect(machine.nextTick == 11)
    _ = machine.tick(now: 11)
    #expect(machine.received(Self.says("slow_down"), now: 11) == [])
    #expect(machine.nextTick == 21)
    _ = machine.tick(now: 21)
    _ = machine.received(Self.says("authorization_pending"), now: 21)
    #expect(machine.nextTick == 31)
  }

  @Test(arguments: [SourceFault.timedOut, .unreachable, .unavailable])
  func anEndpointThatIsAwayIsAskedLessAndLess(_ fault: SourceFault) {
    var machine = Self.prompting(1, lifetime: 1_000)
    var waits: [Double] = []
    for _ in 0..<9 {
      let now = machine.nextTick ?? .nan
      #expect(machine.tick(now: now) == [Self.poll()])
      #expect(machine.received(.failure(fault), now: now) == [])
      waits.append((machine.nextTick ?? .nan) - now)
    }
    #expect(waits == [2, 4, 8, 16, 32, 64, 120, 120, 120])
  }

  @Test(arguments: [0.0, 1e-9]) func aServerThatWantsToBeFloodedIsNot(_ interval: Double) {
    #expect(Self.prompting(interval).nextTick == 1)
  }

  @Test(arguments: [-1.0, 301, 1e300, .infinity, .nan]) func anAbsurdIntervalIsAFault(_ interval: Double) {
    var machine = TokenStateMachine(.deviceCode, hasFile: false)
    _ = machine.read(1, Self.person, now: 0)
    #expect(machine.received(Self.issued(interval: interval), now: 0) == [.fail(1, .malformed)])
    #expect(machine.nextTick == nil)
  }

  @Test(arguments: [-1.0, 0, 1e300, .infinity, .nan]) func anAbsurdLifetimeIsAFault(_ lifetime: Double) {
    var machine = TokenStateMachine(.deviceCode, hasFile: false)
    _ = machine.read(1, Self.person, now: 0)
    #expect(machine.received(Self.issued(lifetime: lifetime), now: 0) == [.fail(1, .malformed)])
  }

  @Test(arguments: [true, false]) func aCodeThatExpiresIsReplacedTwice(_ isSaid: Bool) {
    var machine = Self.prompting(1, lifetime: 10)
    var now = 0.0
    for number in 1...3 {
      now += isSaid ? 1 : 10
      var effects = machine.tick(now: now)
      if isSaid {
        #expect(effects == [Self.poll(number == 1 ? "code" : "code\(number)")])
        effects = machine.received(Self.says("expired_token"), now: now)
      }
      guard number < 3 else {
        #expect(effects == [.fail(1, .codeExpired)])
        break
      }
      #expect(effects == [.send(.deviceAuthorization)])
      #expect(!machine.isPrompting)
      let next = Self.issued("code\(number + 1)", lifetime: 10, interval: 1)
      #expect(machine.received(next, now: now) == [.show(1, Self.prompt)])
    }
    #expect(machine.lastFault == .codeExpired)
  }

  @Test func aPersonWhoSaysNoIsHeard() {
    var machine = Self.prompting()
    _ = machine.tick(now: 5)
    #expect(machine.received(Self.says("access_denied"), now: 5) == [.fail(1, .accessDenied)])
    #expect(machine.nextTick == nil)
  }

  @Test func theLastThatLeavesEndsIt() {
    var machine = Self.prompting()
    _ = machine.read(2, Self.person, now: 1)
    #expect(machine.leave(1) == [])
    #expect(machine.leave(2) == [.cancel])
    #expect(machine.nextTick == nil)
    #expect(machine.received(Self.token(), now: 6) == [])
    #expect(!machine.hasToken(now: 6))
  }

  @Test func aRefreshTokenServesBeforeAnotherCodeAndIsForgotten() {
    var machine = Self.prompting()
    _ = machine.tick(now: 5)
    _ = machine.received(Self.token(refreshToken: "refresh"), now: 5)
    var want = Self.person
    want.refused = [.token(Secret("token".utf8))]
    #expect(machine.read(2, want, now: 6) == [.send(.refresh(Secret("refresh".utf8)))])
    // It is not valid any more: a person is asked.
    #expect(machine.received(Self.says("invalid_grant"), now: 6) == [.send(.deviceAuthorization)])
    _ = machine.received(Self.issued(), now: 6)
    _ = machine.tick(now: 11)
    _ = machine.received(Self.token("second", refreshToken: "again"), now: 11)
    machine.forget()
    #expect(machine.read(3, Self.person, now: 12) == [.send(.deviceAuthorization)])
  }

  @Test func whatIsForgottenMeanwhileIsNotKept() {
    var machine = Self.prompting()
    machine.forget()
    _ = machine.tick(now: 5)
    let given = machine.received(Self.token(refreshToken: "refresh"), now: 5)
    #expect(given == [.give(1, Secret("token".utf8), seconds: 100)])
    #expect(!machine.hasToken(now: 5))
    #expect(machine.read(2, Self.person, now: 6) == [.send(.deviceAuthorization)])
  }

  @Test func aFileThatIsNotThereYetAsksAPersonAndIsWritten() {
    var machine = TokenStateMachine(.deviceCode, hasFile: true)
    #expect(machine.read(1, Self.person, now: 0) == [.send(.refresh(nil))])
    #expect(machine.received(.failure(.unreadable), now: 0) == [.send(.deviceAuthorization)])
    _ = machine.received(Self.issued(), now: 0)
    _ = machine.tick(now: 5)
    let refresh = Secret("refresh".utf8)
    #expect(
      machine.received(Self.token(refreshToken: "refresh"), now: 5)
        == [.keep(refresh), .give(1, Secret("token".utf8), seconds: 100)])
  }

  @Test func aValidTokenServesUntilAPersonIsNeeded() {
    var machine = Self.prompting()
    _ = machine.tick(now: 5)
    _ = machine.received(Self.token(), now: 5)
    // Its renewal is due, and there is no refresh token.
    #expect(machine.read(2, Self.person, now: 90) == [.give(2, Secret("token".utf8), seconds: 15)])
    #expect(machine.read(3, Self.person, now: 105) == [.send(.deviceAuthorization)])
  }

  @Test(arguments: [
    ("https://id.example/activate", true), ("https://id.example:8443/a?b=c#d", true),
    ("http://127.0.0.1:8080/", true), ("http://localhost/a", true), ("http://[::1]:80/", true),
    ("http://id.example/", false), ("http://localhost.evil.example/", false), ("http://127.0.0.1.a/", false),
    ("javascript:alert(1)", false), ("data:text/html,x", false), ("HTTPS://", false), ("https://", false),
    ("https:///path", false), ("https://a@evil.example/", false), ("https://id.example/\u{1b}[2J", false),
    ("https://id.example/ b", false), ("https://id.example/\n", false), ("https://ïd.example/", false),
    ("https://id.example/\"", false), ("https://id.example\\@a/", false), ("", false),
    ("https://id.example/" + String(repeating: "a", count: 2029), true),
    ("https://id.example/" + String(repeating: "a", count: 2030), false),
  ])
  func aPageIsAnAddressThatAPersonMayOpen(_ page: String, _ isPage: Bool) {
    #expect((DevicePrompt(verificationURI: page, userCode: "A") != nil) == isPage)
    let complete = DevicePrompt(verificationURI: "https://a/", userCode: "A", completeURI: page)
    #expect((complete != nil) == isPage)
  }

  @Test(arguments: [
    ("WDJB-MJHT", true), ("123 456", true), ("", false), ("  ", false), ("\u{1b}[31m", false),
    ("a\nb", false),
    ("А", false), (String(repeating: "A", count: 65), false),
  ])
  func aCodeIsVisibleText(_ code: String, _ isCode: Bool) {
    #expect((DevicePrompt(verificationURI: "https://a/", userCode: code) != nil) == isCode)
  }
}
