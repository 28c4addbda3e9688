import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Credentials that expire between a request and its repetition (storage.md 9.5.2).
struct ExpiredCredentialTests {
  private var memory = SessionMemory()

  private static let lifetime = 10.0
  private static func credential(_ persistence: Persistence) -> Credential {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = lifetime
    return TaskScene.password("x", persistence, limits: limits)
  }

  @Test(arguments: [Persistence.none, .forSession], [lifetime - 1, lifetime])
  mutating func theTasksOwnIsNotRepeated(_ persistence: Persistence, _ now: Double) {
    var scene = TaskScene.asked(TaskScene.digest("n"), with: memory)
    scene.answer(.tryCredential(Self.credential(persistence)), memory)
    #expect(scene.authorization != nil)
    scene.now = now
    scene.refuse(TaskScene.digest("m", stale: true), with: memory)
    #expect(scene.isExchanging && (scene.authorization != nil) == (now < Self.lifetime))
  }

  @Test(arguments: [lifetime - 1, lifetime])
  mutating func thatOfTheSessionIsNotRepeated(_ now: Double) {
    memory.store(Self.credential(.forSession), for: TaskScene.space("r", .digest), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(TaskScene.digest("n"), with: memory)
    #expect(scene.authorization != nil)
    scene.now = now
    scene.refuse(TaskScene.digest("m", stale: true), with: memory)
    #expect((scene.authorization != nil) == (now < Self.lifetime))
  }

  @Test(arguments: [lifetime - 1, lifetime])
  mutating func aLostConnectionDoesNotProlongIt(_ now: Double) {
    var scene = TaskScene.asked(TaskScene.basic(), with: memory)
    scene.answer(.useCredential(Self.credential(.none)), memory)
    scene.now = now
    scene.endAlone(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)), memory)
    #expect(scene.isExchanging && (scene.authorization != nil) == (now < Self.lifetime))
  }

  @Test(arguments: [lifetime - 1, lifetime])
  mutating func aKeyIsNotRepeated(_ now: Double) {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = Self.lifetime
    var key = Credential(.token(TaskScene.secret("k")), persistence: .forSession, limits: limits)
    key.isPreemptive = true
    memory.store(key, for: ProtectionSpace(keyOf: TaskScene.origin, field: "x-api-key"), owner: 1, now: 0)
    var scene = TaskScene()
    scene.begin(memory)
    #expect(scene.keys == ["x-api-key: k"])
    scene.refuse(TaskScene.basic(), with: memory)
    scene.now = now
    scene.answer(.tryCredential(TaskScene.password("x")), memory)
    #expect(scene.authorization != nil && scene.keys.isEmpty == (now >= Self.lifetime))
  }
}
