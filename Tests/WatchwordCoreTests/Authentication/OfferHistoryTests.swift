import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A server that offers less than before: noticed always, refused where only the strongest counts (challenges.md 6.5 and 6.6).
struct OfferHistoryTests {
  private static let md5 = "Digest realm=\"r\", qop=\"auth\", algorithm=MD5, nonce=\"m\""
  private var history = OfferHistory()

  private func offers(_ fields: [String]) -> [Offer] {
    OfferSelection.offers(in: fields, policy: MethodPolicy())
  }

  private mutating func weaker(_ fields: String..., host: String = "a.example") -> WeakerOffer? {
    let origin = Origin(scheme: .https, host: host, port: 443)
    return history.note(offers(fields), from: origin, strongestOnly: false).weaker
  }

  private mutating func allowed(_ fields: String...) -> [OfferStrength] {
    history.note(offers(fields), from: TaskScene.origin, strongestOnly: true).allowed.map(OfferStrength.init)
  }

  @Test(arguments: [
    (TaskScene.digest("n"), TaskScene.basic(), "digest SHA-256", "basic"),
    (TaskScene.digest("n"), md5, "digest SHA-256", "digest MD5"),
    ("Bearer realm=\"r\"", TaskScene.digest("n"), "bearer", "digest SHA-256"),
  ])
  mutating func lessThanBeforeIsNoticed(
    _ strong: String, _ weak: String, _ previous: String, _ offered: String
  ) {
    #expect(weaker(strong, weak) == nil)
    let found = weaker(weak)
    #expect(found?.previous.description == previous && found?.offered.description == offered)
    #expect(weaker(strong) == nil)
  }

  @Test mutating func theSameAgainIsNoNewsUntilTheServerHasBeenAsStrongAsBefore() {
    _ = weaker(TaskScene.digest("n"))
    #expect(weaker(Self.md5)?.isNews == true)
    #expect(weaker(Self.md5)?.isNews == false)
    #expect(weaker(TaskScene.basic())?.isNews == true)
    _ = weaker(TaskScene.digest("n"))
    #expect(weaker(TaskScene.basic())?.isNews == true)
  }

  @Test mutating func anotherRealmOrOriginIsAnotherMatter() {
    _ = weaker(TaskScene.digest("n"))
    #expect(weaker(TaskScene.basic("other")) == nil)
    #expect(weaker(TaskScene.basic(), host: "b.example") == nil)
  }

  @Test mutating func onlyTheStrongestCountsAndNoneWeakerThanBeforeInWhateverRealm() {
    #expect(allowed(TaskScene.basic(), Self.md5) == offers([Self.md5]).map(OfferStrength.init))
    #expect(allowed(TaskScene.basic()) == [])
    #expect(allowed(TaskScene.basic("other")) == [])
    #expect(allowed(TaskScene.digest("n"), Self.md5).count == 1)
    #expect(allowed(Self.md5) == [])
  }

  /// The strong one is behind the bound, where it cannot be tried.
  @Test(arguments: [
    TaskScene.digest("n"), "Digest realm=r, nonce=n" + (0..<200).map { ", p\($0)=v" }.joined(),
  ])
  mutating func aResponseThatIsFilledUpHidesNone(_ strong: String) {
    func allowed(_ fields: [String], _ history: inout OfferHistory) -> [Offer] {
      let reading = OfferSelection.read(fields.map { OctetString($0) }, policy: MethodPolicy())
      let noted = history.note(
        reading.offers, unread: reading.unread, from: TaskScene.origin, strongestOnly: true)
      return noted.allowed
    }
    let filling = (0..<64).map { "Basic realm=\"\($0)\"" }
    #expect(allowed(filling, &history).count == 64)
    #expect(allowed(filling + [TaskScene.basic()], &history).count == 64)
    #expect(allowed(filling + [strong], &history) == [])
    #expect(allowed(filling, &history) == [])
  }

  @Test mutating func aServerThatNamesRealmsWithoutEndFillsNothing() {
    for number in 0..<100 { _ = weaker(TaskScene.digest("n", realm: "\(number)")) }
    #expect(weaker(TaskScene.basic("0")) != nil)
    #expect(weaker(TaskScene.basic("99")) == nil)
  }

  @Test(arguments: [TaskScene.basic(), md5])
  func withStrongestOnlyAWeakerOfferGetsNothingAndNoDelegateIsAsked(_ weak: String) {
    let memory = SessionMemory()
    for method in [AuthenticationMethod.digest, .basic] {
      memory.store(TaskScene.password("x"), for: TaskScene.space("r", method), owner: 1, now: 0)
    }
    var policy = MethodPolicy()
    policy.strongestOnly = true
    var first = TaskScene(policy: policy)
    first.begin(memory)
    first.refuse(TaskScene.digest("n"), with: memory)
    #expect(first.digestField("nonce") == "n")
    first.succeed(with: memory)
    var second = TaskScene(policy: policy)
    second.begin(memory)
    second.refuse(weak, with: memory)
    #expect(second.isDelivered && second.question == nil && second.sent == nil)
    #expect(second.warning?.previous.description == "digest SHA-256")
  }

  @Test func withoutItTheQuestionSaysThatTheOfferIsWeaker() {
    let memory = SessionMemory()
    for (challenge, isWeaker) in [(TaskScene.digest("n"), false), (TaskScene.basic(), true)] {
      var scene = TaskScene()
      scene.begin(memory)
      scene.refuse(challenge, with: memory)
      #expect((scene.question?.weakerOffer != nil) == isWeaker)
      #expect((scene.warning != nil) == isWeaker)
    }
  }
}
