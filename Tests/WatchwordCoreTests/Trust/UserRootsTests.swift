import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// The certificate authorities of a user (challenges.md 10.14).
struct UserRootsTests {
  private static func fingerprint(_ number: UInt8) -> Fingerprint { TrustScene.print(number) }

  private static func candidate(
    _ number: UInt8, isAuthority: Bool = true, bytes: Int = 100
  ) -> UserRoots.Candidate {
    UserRoots.Candidate(
      Certificate(
        subject: "CN=root \(number)", issuer: "CN=root \(number)", serialNumber: "01", notBefore: 0,
        notAfter: 1, subjectAlternativeNames: [], keyType: "ec", keyBits: 256,
        sha256: fingerprint(number), publicKey: fingerprint(number),
        der: [UInt8](repeating: number, count: bytes)), isAuthority: isAuthority)
  }

  private static func roots(_ numbers: UInt8...) -> UserRoots {
    var roots = UserRoots()
    _ = try? roots.add(numbers.map { candidate($0) })
    return roots
  }

  /// A chain that was verified up to the root of this number.
  private static func presented(_ root: UInt8) -> PresentedChain {
    PresentedChain(
      chain: fingerprint(200), certificate: fingerprint(200), publicKey: fingerprint(200),
      verifiedPublicKeys: [fingerprint(200), fingerprint(root)])
  }

  // MARK: The list

  @Test func eachIsThereOnceInItsOrder() throws {
    var roots = UserRoots()
    #expect(try roots.add([Self.candidate(1), Self.candidate(2), Self.candidate(1)]) == 2)
    #expect(try roots.add([Self.candidate(2), Self.candidate(3)]) == 1)
    #expect(roots.all.map(\.subject) == ["CN=root 1", "CN=root 2", "CN=root 3"])
    #expect(roots.remove(Self.fingerprint(2).hexadecimal) == 1)
    #expect(roots.remove(Self.fingerprint(2).hexadecimal) == 0)
    #expect(roots.all.map(\.subject) == ["CN=root 1", "CN=root 3"])
    #expect(roots.pem == roots.all.map(\.pem).joined())
    #expect(roots.remove(nil) == 2)
    #expect(roots == UserRoots() && roots.pem == nil)
  }

  @Test func allOfATextAreAddedOrNone() {
    var roots = Self.roots(1)
    let before = roots
    #expect(throws: UserRoots.AdditionFault.noAuthority(number: 2, subject: "CN=root 3")) {
      try roots.add([Self.candidate(2), Self.candidate(3, isAuthority: false)])
    }
    #expect(throws: UserRoots.AdditionFault.nothing) { try roots.add([]) }
    #expect(throws: UserRoots.AdditionFault.tooLarge) {
      try roots.add([Self.candidate(2), Self.candidate(3, bytes: UserRoots.maximumBytes)])
    }
    #expect(roots == before)
  }

  @Test func theirNumberIsBounded() throws {
    var roots = UserRoots()
    #expect(try roots.add((0...254).map { Self.candidate($0) }) == 255)
    #expect(try roots.add([Self.candidate(255), Self.candidate(0)]) == 1)
    #expect(roots.all.count == UserRoots.capacity)
  }

  @Test func aChainEndsInOneOfThemByItsKey() {
    let roots = Self.roots(1, 2)
    #expect(roots.root(endOf: Self.presented(2))?.subject == "CN=root 2")
    #expect(roots.root(endOf: Self.presented(3)) == nil)
    #expect(UserRoots().root(endOf: Self.presented(1)) == nil)
  }

  // MARK: In a session

  private static func ruling(
    _ root: UInt8, _ scene: inout SessionScene, from origin: Origin = origin
  ) -> TrustStore.Ruling {
    var permanent = PermanentTrust()
    return scene.state.ruling(
      on: presented(root), with: [], from: origin, at: .origin, in: .common, permanent: &permanent)
  }

  /// Of what the session shows for the origin: `#expect` takes no call on what cannot be copied.
  private static func lastRoot(_ scene: borrowing SessionScene) -> String? {
    scene.state.userRoot(of: origin)?.subject
  }

  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  private static let unknown = TrustFault(reason: .unknownIssuer, depth: 0)

  private static func strict(pins: [Fingerprint]? = nil) -> TrustPolicy {
    var rule = TrustPolicy.Rule()
    rule.allowsLooseningTrust = false
    rule.pinnedPublicKeys = pins
    return TrustPolicy(defaults: rule)
  }

  @Test func theyCountInASessionThatHasNotOnlyRootsOfItsOwn() {
    var configuration = SessionConfiguration()
    configuration.tls.roots = "PEM"
    for isExclusive in [false, true] {
      configuration.tls.rootsAreExclusive = isExclusive
      var scene = SessionScene(configuration)
      scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
      #expect(
        scene.effects
          == (isExclusive ? [] : [.useRoots(Self.roots(1)), .closeConnections(because: .somethingIsGone)]))
      #expect(scene.state.userRoots.isEmpty == isExclusive)
    }
  }

  private static func configure(_ scene: inout SessionScene, _ configuration: SessionConfiguration) {
    scene.take { state in
      state.configure(SessionSettings(configuration), userRoots: roots(1))
    }
  }

  @Test func otherSettingsCountThemOrNot() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    #expect(Self.ruling(1, &scene) == .accept)
    #expect(Self.lastRoot(scene) == "CN=root 1")
    var configuration = SessionConfiguration()
    configuration.connectionsPerHost = 2
    Self.configure(&scene, configuration)
    #expect(scene.state.userRoots == Self.roots(1) && Self.lastRoot(scene) == "CN=root 1")
    (configuration.tls.roots, configuration.tls.rootsAreExclusive) = ("PEM", true)
    Self.configure(&scene, configuration)
    #expect(scene.state.userRoots.isEmpty && Self.lastRoot(scene) == nil)
    (configuration.tls.roots, configuration.tls.rootsAreExclusive) = (nil, false)
    Self.configure(&scene, configuration)
    #expect(scene.state.userRoots == Self.roots(1) && Self.lastRoot(scene) == nil)
  }

  @Test func theSameOnesCloseNoConnection() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    #expect(scene.effects.isEmpty)
  }

  @Test func theyVerifyNoServerThatTheAdministratorProtects() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    #expect(Self.ruling(1, &scene) == .accept)
    scene.policy = Self.strict()
    #expect(Self.ruling(1, &scene) == .ask([Self.unknown]))
    #expect(Self.ruling(2, &scene) == .accept)
    // The administrator's keys say who the server is.
    scene.policy = Self.strict(pins: [Self.fingerprint(1)])
    #expect(Self.ruling(1, &scene) == .accept)
  }

  @Test func theyVerifyNoServerThatGetsWhatASourceGives() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    let space = ProtectionSpace(origin: Self.origin, realm: nil, authenticationMethod: .bearer)
    #expect(scene.state.nameSource(for: space).0 == nil)
    #expect(Self.ruling(1, &scene) == .ask([Self.unknown]))
    #expect(Self.ruling(2, &scene) == .accept)
    let other = Origin(scheme: .https, host: "b.example", port: 443)
    #expect(Self.ruling(1, &scene, from: other) == .accept)
  }

  @Test func theyVerifyNoProxyOnTheWayToSuchAServer() {
    let url = RequestURL(origin: Origin(scheme: .https, host: "p.example", port: 3128), path: "", query: nil)
    let proxy = Proxy(.https, url: url)
    let origin = Origin(scheme: .http, host: "a.example", port: 80)
    var scene = SessionScene()
    let before = scene.state.isVerifiedByUserRoots(proxy, for: origin)
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    let after = [
      scene.state.isVerifiedByUserRoots(proxy, for: origin),
      scene.state.isVerifiedByUserRoots(nil, for: origin),
      scene.state.isVerifiedByUserRoots(proxy, for: Self.origin),
    ]
    scene.policy = Self.strict(pins: [])
    let isVerifiedUnderRules = scene.state.isVerifiedByUserRoots(proxy, for: origin)
    #expect(!before && !isVerifiedUnderRules)
    #expect(after == [true, false, false])
  }

  @Test func theLastRootOfAnOriginIsRemembered() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1, 2)) }
    #expect(Self.lastRoot(scene) == nil)
    #expect(Self.ruling(2, &scene) == .accept)
    #expect(Self.lastRoot(scene) == "CN=root 2")
    #expect(Self.ruling(3, &scene) == .accept)
    #expect(Self.lastRoot(scene) == nil)
    #expect(Self.ruling(1, &scene) == .accept)
    scene.take { state in state.replaceUserRoots(with: Self.roots(2)) }
    #expect(Self.lastRoot(scene) == nil)
  }

  @Test func theOriginsThatAreRememberedAreBounded() {
    var scene = SessionScene()
    scene.take { state in state.replaceUserRoots(with: Self.roots(1)) }
    for number in 0...SessionState.maximumRootedOrigins {
      let origin = Origin(scheme: .https, host: "h\(number)", port: 443)
      #expect(Self.ruling(1, &scene, from: origin) == .accept)
    }
    #expect(scene.state.rootedOrigins.count == 1)
  }

  @Test func thePolicyForbidsThemWhereNoHostIsLeft() {
    #expect(TrustPolicy().ruleAgainstLoosening == nil)
    #expect(Self.strict().ruleAgainstLoosening == "transportSecurity.defaults.allowsLooseningTrust")
    var free = TrustPolicy.Rule()
    free.allowsLooseningTrust = true
    let policy = TrustPolicy(
      defaults: Self.strict().defaults, domains: [TrustPolicy.Domain(HostPattern("b.example"), free)])
    #expect(policy.ruleAgainstLoosening == nil)
  }
}
