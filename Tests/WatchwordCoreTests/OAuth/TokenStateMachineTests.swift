import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// One token for all that read a source (methods.md 9.10).
struct TokensOfASource {
  private static func answer(
    _ token: String, lifetime: Double? = 100, refreshToken: String? = nil
  ) -> Result<TokenReply.Answer, SourceFault> {
    var members = TokenReply.Members()
    members.accessToken = Secret(token.utf8)
    members.tokenType = "Bearer"
    members.expiresIn = lifetime
    members.refreshToken = refreshToken.map { Secret($0.utf8) }
    return .success(TokenReply.Answer(status: 200, members))
  }

  private static func refusal(_ error: String) -> Result<TokenReply.Answer, SourceFault> {
    var members = TokenReply.Members()
    members.error = error
    return .success(TokenReply.Answer(status: 400, members))
  }

  private static func give(
    _ reader: UInt64, _ token: String, _ seconds: Double?
  ) -> TokenStateMachine.Effect {
    .give(reader, Secret(token.utf8), seconds: seconds)
  }

  private static func refused(_ token: String, isRepeated: Bool = false) -> TokenStateMachine.Want {
    var want = TokenStateMachine.Want()
    want.refused = [.token(Secret(token.utf8))]
    want.isRepeated = isRepeated
    return want
  }

  @Test func oneRequestServesAllThatWaitAndTheTokenThoseThatCome() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    #expect(machine.read(1, now: 0) == [.send(.clientCredentials)])
    #expect(machine.read(2, now: 0) == [])
    #expect(
      machine.received(Self.answer("a"), now: 1) == [Self.give(1, "a", 100), Self.give(2, "a", 100)])
    #expect(machine.read(3, now: 11) == [Self.give(3, "a", 90)])
  }

  @Test func theSecondsOfATokenEndWithIt() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    #expect(machine.secondsLeft(now: 0) == nil)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a"), now: 1)
    #expect(machine.secondsLeft(now: 100.5) == 0.5)
    #expect(machine.secondsLeft(now: 101) == nil)
    #expect(machine.hasToken(now: 100.5) && !machine.hasToken(now: 101))
  }

  @Test func aTokenIsAskedForAheadOfItsEnd() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a"), now: 0)
    #expect(machine.read(2, now: 74) == [Self.give(2, "a", 26)])
    #expect(machine.read(3, now: 76) == [.send(.clientCredentials)])
    #expect(machine.received(Self.answer("b"), now: 77) == [Self.give(3, "b", 100)])
  }

  @Test func aLongTokenIsAskedForOneMinuteAhead() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a", lifetime: 3600), now: 0)
    #expect(machine.read(2, now: 3539) == [Self.give(2, "a", 61)])
    #expect(machine.read(3, now: 3541) == [.send(.clientCredentials)])
  }

  @Test func whileTheEndpointIsAwayAValidTokenServes() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a"), now: 0)
    _ = machine.read(2, now: 80)
    #expect(machine.received(.failure(.unreachable), now: 81) == [Self.give(2, "a", 19)])
    #expect(machine.lastFault == .unreachable)
    _ = machine.read(3, now: 100)
    #expect(machine.received(.failure(.unreachable), now: 101) == [.fail(3, .unreachable)])
    _ = machine.read(4, now: 102)
    _ = machine.received(Self.answer("b"), now: 103)
    #expect(machine.lastFault == nil)
  }

  @Test func aTokenWithoutAnEndServesUntilItIsRefused() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a", lifetime: nil), now: 0)
    #expect(machine.read(2, now: 1e9) == [Self.give(2, "a", nil)])
    #expect(machine.read(3, Self.refused("a"), now: 1e9) == [.send(.clientCredentials)])
  }

  @Test func aRefusedTokenIsReplacedOnce() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a"), now: 0)
    // Another session has seen the refusal later: the new token serves it, too.
    #expect(machine.read(2, Self.refused("a"), now: 1) == [.send(.clientCredentials)])
    _ = machine.received(Self.answer("b"), now: 1)
    #expect(machine.read(3, Self.refused("a"), now: 1) == [Self.give(3, "b", 100)])
  }

  @Test func aServerThatTakesNoTokenGetsNoSecondNewOne() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a"), now: 0)
    #expect(machine.read(2, Self.refused("a", isRepeated: true), now: 1) == [.fail(2, .tokensRefused)])
    // The next challenge gets one.
    #expect(machine.read(3, now: 1) == [.send(.clientCredentials)])
  }

  @Test func aReaderThatHasLeftIsNotAnswered() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.leave(1)
    #expect(machine.received(Self.answer("a"), now: 0) == [])
    #expect(machine.read(2, now: 0) == [Self.give(2, "a", 100)])
  }

  @Test func aNewRefreshTokenIsKept() {
    var machine = TokenStateMachine(.refreshToken, hasFile: true)
    #expect(machine.read(1, now: 0) == [.send(.refresh(nil))])
    let second = Secret("second".utf8)
    #expect(
      machine.received(Self.answer("a", refreshToken: "second"), now: 0)
        == [.keep(second), Self.give(1, "a", 100)])
    // Until it is in the file, it is sent from here.
    #expect(machine.read(2, Self.refused("a"), now: 0) == [.send(.refresh(second))])
    _ = machine.received(Self.answer("b"), now: 0)
    machine.kept(second, nil)
    #expect(machine.read(3, Self.refused("b"), now: 0) == [.send(.refresh(nil))])
  }

  @Test func aRefreshTokenThatCannotBeWrittenIsNotLost() {
    var machine = TokenStateMachine(.refreshToken, hasFile: true)
    _ = machine.read(1, now: 0)
    let second = Secret("second".utf8)
    _ = machine.received(Self.answer("a", refreshToken: "second"), now: 0)
    machine.kept(second, .unwritable)
    #expect(machine.lastFault == .unwritable)
    #expect(machine.read(2, Self.refused("a"), now: 0) == [.send(.refresh(second))])
  }

  @Test func theFileIsReadWhenTheTokenInMemoryIsRefused() {
    var machine = TokenStateMachine(.refreshToken, hasFile: true)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a", refreshToken: "second"), now: 0)
    _ = machine.read(2, Self.refused("a"), now: 0)
    #expect(machine.received(Self.refusal("invalid_grant"), now: 0) == [.send(.refresh(nil))])
    #expect(machine.received(Self.refusal("invalid_grant"), now: 0) == [.fail(2, .grantRefused)])
  }

  @Test func aForgottenTokenIsAskedForAgain() {
    var machine = TokenStateMachine(.refreshToken, hasFile: true)
    _ = machine.read(1, now: 0)
    let second = Secret("second".utf8)
    _ = machine.received(Self.answer("a", refreshToken: "second"), now: 0)
    machine.kept(second, .unwritable)
    machine.forget()
    #expect(!machine.hasToken(now: 0))
    // It is nowhere else.
    #expect(machine.read(2, now: 0) == [.send(.refresh(second))])
  }

  @Test func aTokenUnderWayIsForgottenToo() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    machine.forget()
    #expect(machine.received(Self.answer("a"), now: 0) == [Self.give(1, "a", 100)])
    #expect(!machine.hasToken(now: 0))
    #expect(machine.read(2, now: 0) == [.send(.clientCredentials)])
    #expect(machine.received(Self.answer("b"), now: 0) == [Self.give(2, "b", 100)])
    #expect(machine.hasToken(now: 0))
  }

  @Test func whatWasForgottenDuringARefusedRequestDoesNotConcernTheNext() {
    var machine = TokenStateMachine(.refreshToken, hasFile: true)
    _ = machine.read(1, now: 0)
    _ = machine.received(Self.answer("a", refreshToken: "second"), now: 0)
    _ = machine.read(2, Self.refused("a"), now: 0)
    machine.forget()
    _ = machine.leave(2)
    #expect(machine.received(Self.refusal("invalid_grant"), now: 0) == [])
    #expect(machine.read(3, now: 0) == [.send(.refresh(nil))])
    _ = machine.received(Self.answer("b"), now: 0)
    #expect(machine.hasToken(now: 0))
  }

  @Test func anAnswerToNothingChangesNothing() {
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    #expect(machine.received(Self.answer("a"), now: 0) == [])
    #expect(!machine.hasToken(now: 0))
  }
}
