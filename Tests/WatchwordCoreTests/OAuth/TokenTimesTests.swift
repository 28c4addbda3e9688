import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The moments at which a token is asked for again, and of what length a digest is.
struct TokenTimesTests {
  @Test(arguments: [(74.9, true), (75.0, false)]) func fromTheRenewalOnAnotherOneIsAskedFor(
    now: Double, isGiven: Bool
  ) {
    var members = TokenReply.Members()
    members.accessToken = Secret("a".utf8)
    members.tokenType = "Bearer"
    members.expiresIn = 100
    var machine = TokenStateMachine(.clientCredentials, hasFile: false)
    _ = machine.read(1, now: 0)
    _ = machine.received(.success(TokenReply.Answer(status: 200, members)), now: 0)
    let effects = machine.read(2, now: now)
    let given = TokenStateMachine.Effect.give(2, Secret("a".utf8), seconds: 100 - now)
    #expect(effects == (isGiven ? [given] : [.send(.clientCredentials)]))
  }
}
