import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a session gives back, and to whom (storage.md 9.9).
struct SessionReadingTests {
  private func stored(
    _ password: String = "open", user: String = "joe", limits: CredentialLimits = CredentialLimits(),
    isReadable: Bool = true
  ) -> Credential {
    var credential = TaskScene.password(password, user: user, limits: limits)
    credential.isReadable = isReadable
    return credential
  }

  private func keep(
    _ credential: Credential, in scene: inout SessionScene, isDefault: Bool = true,
    owner: ProcessIdentifier = 1
  ) {
    scene.take {
      $0.store(credential, for: [TaskScene.space()], isDefault: isDefault, owner: owner)
    }
  }

  /// The user who is given back, or why none is; with what is recorded.
  private func read(
    _ scene: inout SessionScene, user: String? = nil, path: String? = nil, process: ProcessIdentifier = 1
  ) -> Result<String?, SessionState.ReadingFault> {
    let request = SessionState.ReadingRequest(
      spaces: [TaskScene.space().ofAnyRealm], user: user, path: path, process: process)
    var result: Result<SessionState.Reading, SessionState.ReadingFault> = .failure(.notFound)
    scene.take { state in
      let (answer, effects) = state.read(request)
      result = answer
      return effects
    }
    return result.map(\.credential.user)
  }

  @Test func onlyWhatIsReadableIsGivenBackAndRecorded() throws {
    var scene = SessionScene()
    keep(stored(isReadable: false), in: &scene)
    #expect(read(&scene) == .failure(.notFound))
    #expect(scene.records.isEmpty)
    keep(stored(), in: &scene, owner: 5)
    #expect(read(&scene, process: 9) == .success("joe"))
    let entry = try #require(scene.records.first)
    #expect((entry.outcome, entry.process, entry.answeredBy, entry.user) == (.read, 9, 5, "joe"))
  }

  @Test func withoutAUserItIsTheDefaultOne() {
    var scene = SessionScene()
    keep(stored(user: "joe"), in: &scene)
    keep(stored(user: "ann"), in: &scene, isDefault: false)
    #expect(read(&scene) == .success("joe"))
    #expect(read(&scene, user: "ann") == .success("ann"))
    #expect(read(&scene, user: "eve") == .failure(.notFound))
  }

  @Test func readingsAreUsesUntilTheLimitEndsIt() {
    var scene = SessionScene()
    var limits = CredentialLimits()
    limits.maximumUses = 2
    keep(stored(limits: limits), in: &scene)
    #expect(read(&scene) == .success("joe"))
    #expect(read(&scene) == .success("joe"))
    #expect(read(&scene) == .failure(.notFound))
    #expect(scene.state.memory.count == 0)
  }

  @Test func confirmLeavesItToTheGiver() {
    var scene = SessionScene()
    var limits = CredentialLimits()
    limits.confirm = true
    keep(stored(limits: limits), in: &scene, owner: 1)
    #expect(read(&scene, process: 2) == .failure(.confirmationNeeded))
    #expect(read(&scene, process: 1) == .success("joe"))
  }

  @Test(arguments: [(nil, false), ("/pub", true), ("/pub/x", true), ("/public", false), ("/pub/../x", false)])
  func aLimitedPathIsTheReadersToo(path: String?, isGiven: Bool) {
    var scene = SessionScene()
    var limits = CredentialLimits()
    limits.pathPrefixes = ["/pub"]
    keep(stored(limits: limits), in: &scene)
    #expect(read(&scene, path: path) == (isGiven ? .success("joe") : .failure(.notFound)))
  }
}
