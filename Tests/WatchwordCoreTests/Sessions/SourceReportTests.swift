import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What the sources of a session are told, and when they are read again (storage.md 9.7.11).
struct SourceReportTests {
  private static let space = TaskScene.space()

  private static func credential(_ password: String = "x", notAfter: Double? = nil) -> Credential {
    var limits = CredentialLimits()
    limits.notAfter = notAfter
    return Credential(
      .password(user: "joe", password: TaskScene.secret(password)), persistence: .forSession, limits: limits,
      source: CredentialSource(name: "pages", limits: CredentialLimits(), receipt: TaskScene.secret("r")))
  }

  /// A session whose space has the source's credential.
  private static func scene(notAfter: Double? = nil) -> SessionScene {
    var scene = SessionScene()
    let credential = credential(notAfter: notAfter)
    scene.take { $0.store(credential, for: [space], isDefault: true, owner: nil) }
    return scene
  }

  @Test(arguments: [(200, ["tellSource pages store"]), (401, ["tellSource pages erase"])])
  func theServersVerdictIsTold(status: Int, told: [String]) {
    var scene = Self.scene()
    let task = scene.begin()
    scene.refuse(TaskScene.basic(), task)
    let fields = status == 401 ? [HeaderField("WWW-Authenticate", TaskScene.basic())] : []
    scene.respond(status, fields, to: task)
    #expect(scene.names.filter { $0.hasPrefix("tellSource") } == told, "\(scene.names)")
  }

  @Test(arguments: [(0.0, []), (941, ["readSource pages"])] as [(Double, [String])])
  func aCredentialThatEndsSoonIsReadAgain(now: Double, read: [String]) {
    var scene = Self.scene(notAfter: 1_001_000)
    scene.now = now
    _ = scene.begin()
    #expect(scene.names == read + ["send 1"])
  }

  @Test func aRenewalIsTheDefaultWhereThereIsNone() {
    var scene = Self.scene()
    _ = scene.state.memory.remove(space: Self.space, user: nil)
    let request = SourceRequest("pages", for: Self.space, purpose: .renewal)
    let answer = SourceAnswer(Credential.Kind.password(user: "joe", password: TaskScene.secret("new")))
    scene.take { $0.sourceRead(request, .success(answer)) }
    #expect(scene.state.memory.defaultEntry(of: Self.space)?.credential.user == "joe")
  }

  // MARK: What explain reports

  private static func prospect(
    _ credential: Credential, for space: ProtectionSpace, method: String = "POST", headers: [HeaderField] = []
  ) -> SessionState.Prospect {
    var scene = SessionScene()
    scene.take { $0.store(credential, for: [space], isDefault: true, owner: nil) }
    return scene.state.prospect(for: TaskScene.url(), method: method, headers: headers, process: nil)
  }

  private static func limited(_ kind: Credential.Kind) -> Credential {
    var limits = CredentialLimits()
    limits.pathPrefixes = ["/d"]
    limits.methods = ["GET"]
    var credential = Credential(kind, persistence: .forSession, limits: limits)
    credential.isPreemptive = true
    return credential
  }

  /// A caller's own field comes before every credential: none is passed over.
  @Test(arguments: [false, true]) func aCredentialIsPassedOverOnlyWithoutACallersField(hasField: Bool) {
    let password = Self.limited(.password(user: "joe", password: TaskScene.secret("x")))
    let prospect = Self.prospect(
      password, for: Self.space, headers: hasField ? [HeaderField("Authorization", "Basic x")] : [])
    #expect((prospect.passedOver == nil) == hasField)
  }

  /// A caller's `Host` field leads to a server that the key was not given for (storage.md 9.2.7).
  @Test(arguments: [false, true]) func aKeyForAnotherServerIsPassedOver(namesHost: Bool) {
    let space = ProtectionSpace(keyOf: TaskScene.origin, field: "X-Api-Key")
    let prospect = Self.prospect(
      Self.limited(.token(TaskScene.secret("k"))), for: space, method: "GET",
      headers: namesHost ? [HeaderField("Host", "other.example")] : [])
    #expect((prospect.passedOver != nil) == namesHost && prospect.keys.isEmpty == namesHost)
  }
}
