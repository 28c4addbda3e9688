import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Credentials of the administrator's sources in a session (storage.md 9.7).
struct SourceCredentials {
  private static let source = CredentialSource(name: "pages", limits: CredentialLimits())
  private static let origin = TaskScene.url().origin
  private static let space = ProtectionSpace(
    origin: origin, realm: OctetString("r"), authenticationMethod: .basic)
  private static let request = SourceRequest("pages", for: space, purpose: .renewal)

  private static func password(_ user: String, _ password: String = "x") -> Credential.Kind {
    .password(user: user, password: Secret(password.utf8))
  }

  /// A session whose space has the source's credential of `joe`.
  private static func scene() -> SessionScene {
    var scene = SessionScene()
    scene.take {
      $0.store(Credential(password("joe"), source: source), for: [space], isDefault: true, owner: nil)
    }
    return scene
  }

  @Test func aRenewalLeavesAnotherUserTheDefault() {
    var scene = Self.scene()
    // Stored by the administrator of the session: the binding ends only with a credential of the same space.
    scene.state.memory.store(Credential(Self.password("ann")), for: Self.space, owner: nil, now: 0)
    scene.take { $0.sourceRead(Self.request, .success(SourceAnswer(Self.password("joe", "new")))) }
    #expect(scene.state.memory.defaultEntry(of: Self.space)?.credential.user == "ann")
    let kinds = scene.state.memory.kinds(of: Self.space)
    #expect(kinds.contains(Self.password("joe", "new")))
  }

  @Test func aRenewalOfTheDefaultStaysTheDefault() {
    var scene = Self.scene()
    scene.take { $0.sourceRead(Self.request, .success(SourceAnswer(Self.password("joe", "new")))) }
    let entry = scene.state.memory.defaultEntry(of: Self.space)
    #expect(entry?.credential.kind == Self.password("joe", "new"))
  }

  @Test(arguments: ["a:b", "a\nb"]) func aRenewalThatCannotBeSentIsNotStored(_ user: String) {
    var scene = Self.scene()
    scene.take { $0.sourceRead(Self.request, .success(SourceAnswer(Self.password(user)))) }
    #expect(scene.state.memory.kinds(of: Self.space) == [Self.password("joe")])
  }

  // MARK: The way to the server (storage.md 9.7.7)

  private static func configuration(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    change(&configuration)
    return configuration
  }

  private static func naming(
    in configuration: SessionConfiguration, _ scheme: WebScheme, policy: TrustPolicy = TrustPolicy()
  ) -> CredentialFault? {
    var scene = SessionScene(configuration)
    scene.policy = policy
    let origin = Origin(scheme: scheme, host: "a.example", port: 1)
    let space = ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .bearer)
    return scene.state.nameSource(for: space).0
  }

  @Test func rootsOfACallerAreNoWayUnlessTheAdministratorPinsTheKeys() throws {
    let roots = Self.configuration { $0.tls.roots = "PEM" }
    #expect(Self.naming(in: roots, .https) == .callersWay)
    // What is not encrypted depends on no roots.
    #expect(Self.naming(in: roots, .http) == nil)
    var rule = TrustPolicy.Rule()
    rule.pinnedPublicKeys = []
    #expect(Self.naming(in: roots, .https, policy: TrustPolicy(defaults: rule)) == nil)
  }

  @Test func addressesOfACallerAreNoWayInCleartext() {
    let addresses = Self.configuration {
      $0.addresses.resolve = [SessionConfiguration.Resolution(hostAndPort: "b:1", address: "127.0.0.1")]
    }
    #expect(Self.naming(in: addresses, .http) == .callersWay)
    // The certificate says who the server is.
    #expect(Self.naming(in: addresses, .https) == nil)
  }

  @Test func theNumberOfOriginsIsBounded() {
    var scene = SessionScene()
    func name(_ number: Int, _ scene: inout SessionScene) -> CredentialFault? {
      let origin = Origin(scheme: .http, host: "h\(number)", port: 1)
      let space = ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .bearer)
      return scene.state.nameSource(for: space).0
    }
    for number in 0..<SourceBindings.capacity { #expect(name(number, &scene) == nil) }
    #expect(name(SourceBindings.capacity, &scene) == .sourceFailed)
    #expect(name(0, &scene) == nil)
  }

  @Test func theGuardOfAnOriginEndsWithTheTasksThatRanAtTheReset() {
    var bindings = SourceBindings()
    let (first, second) = (TaskIdentifier(1), TaskIdentifier(2))
    _ = bindings.guardOrigin(Self.origin)
    bindings.endGuard(after: [first, second])
    bindings.ended(first)
    bindings.ended(TaskIdentifier(3))
    #expect(bindings.isGuarded(Self.origin))
    // Another reset before.
    bindings.endGuard(after: [second])
    bindings.ended(second)
    #expect(!bindings.isGuarded(Self.origin) && !bindings.isGuardingOrigins)
    // Named again since the reset, it stays so.
    _ = bindings.guardOrigin(Self.origin)
    bindings.endGuard(after: [first])
    _ = bindings.guardOrigin(Self.origin)
    bindings.ended(first)
    #expect(bindings.isGuarded(Self.origin))
    bindings.endGuard(after: [])
    #expect(!bindings.isGuardingOrigins)
  }
}
