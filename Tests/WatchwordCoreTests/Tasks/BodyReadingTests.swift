import Testing

@testable import WatchwordCore

/// Digest `auth-int` with a body that has to be read before it can be hashed.
struct BodyReadingTests {
  private var memory = SessionMemory()

  private mutating func asked() -> TaskScene {
    var scene = TaskScene(method: "POST", body: .replayable)
    scene.body = .unread
    scene.begin(memory)
    scene.refuse(TaskScene.integrityDigest, with: memory)
    return scene
  }

  private mutating func read(_ scene: inout TaskScene, _ body: DigestBody = .empty) {
    #expect(scene.readsBody && scene.sent == nil)
    scene.body = body
    scene.readBody(memory)
    scene.body = .unread
  }

  @Test mutating func nothingIsSentBeforeItIsRead() {
    var scene = asked()
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    read(&scene)
    #expect(scene.digestField("qop") == "auth-int" && scene.digestField("nc") == "00000001")
    scene.succeed(with: memory)
    #expect(scene.isDelivered)
  }

  @Test mutating func aCredentialOfTheSessionWaitsForItToo() {
    var first = asked()
    first.answer(.tryCredential(TaskScene.password("x")), memory)
    read(&first)
    first.succeed(with: memory)
    // Unasked, and then with a nonce of its own.
    var second = TaskScene(method: "POST", body: .replayable)
    second.body = .unread
    second.begin(memory)
    read(&second)
    #expect(second.digestField("nc") == "00000002")
    #expect(memory.all.map(\.record.uses) == [2])
    second.refuse(TaskScene.integrityDigest.replacing("i\"", with: "j\""), with: memory)
    read(&second)
    #expect(second.digestField("nonce") == "j" && second.digestField("nc") == "00000001")
  }

  @Test mutating func whatCannotBeReadStrikesTheOffer() {
    var scene = asked()
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    read(&scene, .unknown)
    #expect(scene.sent != nil && scene.authorization == nil)
  }

  @Test mutating func whatIsLeftBehindAtARedirectIsNotRead() {
    var scene = TaskScene(method: "POST", body: .replayable)
    scene.body = .unread
    scene.begin(memory)
    scene.redirect(to: "a.example", with: memory)
    scene.refuse(TaskScene.integrityDigest, with: memory)
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(!scene.readsBody && scene.digestField("qop") == "auth-int")
  }
}
