import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Texts that Unicode holds equal and servers do not: `é` in one scalar and in two.
struct BytewiseTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func swiftHoldsThemEqualAndTheirBytesAreNot() {
    #expect(Self.composed == Self.decomposed)
    #expect(Bytewise(Self.composed) != Bytewise(Self.decomposed))
    #expect(Bytewise("K") != Bytewise("\u{212A}"))
    #expect(Bytewise<String?>(nil) != Bytewise<String?>(""))
    #expect(Bytewise(Self.composed) == Bytewise("caf\u{E9}"))
  }

  @Test func realmsSpelledInOtherBytesAreTwoSpaces() {
    let spaces: Set = [TaskScene.space(Self.composed), TaskScene.space(Self.decomposed)]
    #expect(spaces.count == 2)
  }

  @Test func aPasswordForOneOfTwoRealmsThatLookTheSameIsNotSentToTheOther() {
    let memory = SessionMemory()
    memory.store(TaskScene.password("x"), for: TaskScene.space(Self.composed), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.basic(Self.decomposed), with: memory)
    #expect(scene.question != nil && scene.authorization == nil)
  }

  @Test func usersSpelledInOtherBytesAreTwoAccounts() {
    let memory = SessionMemory()
    for user in [Self.composed, Self.decomposed] {
      memory.store(TaskScene.password("x", user: user), for: TaskScene.space(), owner: 1, now: 0)
    }
    #expect(memory.count == 2)
    #expect(TaskScene.password("x", user: Self.composed) != TaskScene.password("x", user: Self.decomposed))
    #expect(memory.remove(space: TaskScene.space(), user: Self.composed) == 1)
  }

  @Test func offersThatDifferInTheBytesOfARealmAreBothMade() {
    let offers = OfferSelection.offers(
      in: [TaskScene.basic(Self.composed), TaskScene.basic(Self.decomposed)], policy: MethodPolicy())
    #expect(offers.count == 2)
  }
}
