import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// How a request would authenticate, and which credential is passed over (storage.md 9.2 and 9.6.12).
struct ExpectationTests {
  private var memory = SessionMemory()
  private let key = CredentialKey(space: TaskScene.space(), user: "joe")

  private func machine(_ disabled: Set<AuthenticationMethod> = [.ntlm]) -> AuthenticationStateMachine {
    var policy = MethodPolicy()
    policy.disabled = disabled
    let settings = AuthenticationStateMachine.Settings(
      policy: policy, refusalBudget: 5, ambientOrigins: [TaskScene.origin], clientNonce: { "c" })
    return AuthenticationStateMachine(for: .origin, settings)
  }

  private func use(
    user: String? = nil, password: String? = nil, method: String = "GET", at proxyType: ProxyType? = nil,
    scheme: WebScheme = .https
  ) -> CredentialUse {
    let userinfo = user.map { RequestURL.Userinfo(user: $0, password: password.map(TaskScene.secret)) }
    var use = CredentialUse(
      url: TaskScene.url(scheme: scheme, userinfo: userinfo), method: method, process: 1, now: 1,
      wallClock: 1000)
    use.proxyType = proxyType
    return use
  }

  private mutating func expectation(
    _ use: CredentialUse, disabled: Set<AuthenticationMethod> = [.ntlm], hasField: Bool = false
  ) -> AuthenticationStateMachine.Expectation {
    machine(disabled).expectation(for: use, hasCallerAuthorization: hasField, memory)
  }

  private mutating func passedOver(
    _ use: CredentialUse, disabled: Set<AuthenticationMethod> = [.ntlm, .negotiate]
  ) -> PassedOver? {
    let machine = machine(disabled)
    let expectation = machine.expectation(for: use, hasCallerAuthorization: false, memory)
    return machine.passedOver(for: use, expectation, memory)
  }

  private mutating func keepRecord(for space: ProtectionSpace = TaskScene.space()) throws {
    let plan = try memory.permanent.plan(
      .store(TaskScene.password("x", .permanent), for: [space], isDefault: true, over: []), now: 0)
    _ = memory.permanent.apply(plan)
  }

  @Test mutating func theTicketsOfTheDaemonAnswerWhereNobodyIsNamed() {
    #expect(expectation(use()) == .ambient && expectation(use(at: .https)) == .ambient)
    #expect(expectation(use(), hasField: true) == .callersField)
    #expect(expectation(use(), disabled: [.negotiate]) == .nothing)
    #expect(expectation(use(user: "joe")) == .nothing)
    #expect(expectation(use(at: .socks5)) == .nothing)
    #expect(expectation(use(scheme: .http)) == .nothing)
  }

  @Test mutating func whatTheSessionHasComesFirst() {
    memory.store(TaskScene.password("x"), for: TaskScene.space(), owner: 1, now: 0)
    #expect(expectation(use()) == .whenAsked(key, from: .session))
    #expect(expectation(use(user: "joe")) == .whenAsked(key, from: .session))
    // A URL with user and password uses these.
    #expect(expectation(use(user: "joe", password: "y")) == .nothing)
    #expect(expectation(use(at: .https)) == .ambient)
  }

  @Test mutating func aRecordAnswersWhereItsMethodMay() throws {
    try keepRecord()
    #expect(expectation(use()) == .whenAsked(key, from: .permanent))
    #expect(expectation(use(), disabled: [.basic]) == .ambient)
    memory = SessionMemory()
    let plain = ProtectionSpace(
      origin: TaskScene.url(scheme: .http).origin, realm: "r", authenticationMethod: .basic)
    try keepRecord(for: plain)
    #expect(expectation(use(scheme: .http)) == .nothing)
  }

  @Test mutating func anEntryOfNetrcIsForOriginsOnly() throws {
    memory.netrc = NetrcStore(try Netrc(text: TaskScene.secret("machine a.example login joe password x")))
    let off: Set<AuthenticationMethod> = [.negotiate]
    #expect(expectation(use(), disabled: off) == .netrc(user: "joe"))
    #expect(expectation(use(user: "joe"), disabled: off) == .netrc(user: "joe"))
    #expect(expectation(use(user: "ann"), disabled: off) == .nothing)
    #expect(expectation(use(at: .https), disabled: off) == .nothing)
    #expect(passedOver(use()) == nil)
    memory.netrc.noteRefusal(of: "joe", in: TaskScene.space())
    #expect(passedOver(use()) == PassedOver(key: key, source: .netrc, reason: .refused))
    #expect(passedOver(use(at: .https)) == nil && passedOver(use(user: "joe", password: "y")) == nil)
  }

  // MARK: Passed over

  @Test mutating func limitsAreAReasonOnlyWhereNothingAnswers() throws {
    var limits = CredentialLimits()
    limits.methods = ["PUT"]
    memory.store(TaskScene.password("x", limits: limits), for: TaskScene.space(), owner: 1, now: 0)
    let reason = PassedOver(key: key, source: .session, reason: .limits)
    #expect(passedOver(use()) == reason && passedOver(use(method: "PUT")) == nil)
    #expect(passedOver(use(), disabled: [.ntlm]) == nil)
    #expect(passedOver(use(), disabled: [.basic, .negotiate]) == nil)
    #expect(passedOver(use(user: "joe")) == reason && passedOver(use(user: "joe", password: "y")) == nil)
  }

  @Test mutating func refusedUserinfoOfTheURLIsNamed() {
    let userinfo = Credential.Kind.password(user: "joe", password: TaskScene.secret("y"))
    memory.noteRefusedUserinfo(userinfo, in: TaskScene.space())
    let reason = PassedOver(key: key, source: .url, reason: .refused)
    #expect(passedOver(use(user: "joe", password: "y")) == reason)
    #expect(passedOver(use(user: "joe", password: "z")) == nil && passedOver(use()) == nil)
  }

  @Test(arguments: [AuthenticationMethod.key, .basic]) mutating func aKeyOnAnotherWayIsNamed(
    _ method: AuthenticationMethod
  ) throws {
    let space =
      method == .key ? ProtectionSpace(keyOf: TaskScene.origin, field: "X-Key") : TaskScene.space()
    let credential = Credential(.token(TaskScene.secret("k")))
    memory.store(credential, for: space, owner: 1, now: 0)
    var use = use()
    #expect(memory.keyPassedOver(for: use, MethodPolicy()) == nil)
    use.route.host = NamedHost("b.example", at: TaskScene.origin)
    let isKey = method == .key
    let named = CredentialKey(space: space, user: nil)
    #expect(memory.keyPassedOver(for: use, MethodPolicy())?.key == (isKey ? named : nil))
    // The same of a record of the account.
    memory = SessionMemory()
    let kept = Credential(credential.kind, persistence: .permanent)
    let plan = try memory.permanent.plan(.store(kept, for: [space], isDefault: true, over: []), now: 0)
    _ = memory.permanent.apply(plan)
    #expect(memory.keyPassedOver(for: use, MethodPolicy())?.key == (isKey ? named : nil))
    #expect(memory.keyPassedOver(for: self.use(), MethodPolicy()) == nil)
  }

  // MARK: What servers have refused (methods.md 8.1 and 15.7)

  @Test func aRefusalConcernsThoseWhoChoseBeforeIt() {
    var refused = RefusedOutside()
    let (kind, other) = (TaskScene.password("x").kind, TaskScene.password("y").kind)
    let space = TaskScene.space()
    #expect(!refused.hasRefused(kind, in: space, after: 0))
    refused.note(other, in: space)
    refused.note(kind, in: space)
    #expect(refused.number == 2)
    let verdicts = (0...3).map { refused.hasRefused(kind, in: space, after: $0) }
    #expect(verdicts == [true, true, false, false])
    #expect((0...1).map { refused.hasRefused(other, in: space, after: $0) } == [true, false])
    #expect(!refused.hasRefused(kind, in: TaskScene.space("s"), after: 0))
    refused.noteAcceptance(of: kind, in: space)
    #expect(!refused.hasRefused(kind, in: space, after: 0) && refused.hasRefused(other, in: space, after: 0))
  }

  @Test func onlySoManyRefusalsAreRemembered() {
    var refused = RefusedOutside()
    let kind = TaskScene.password("x").kind
    for number in 0..<1024 { refused.note(kind, in: TaskScene.space("r\(number)")) }
    #expect(refused.hasRefused(kind, in: TaskScene.space("r0"), after: 0))
    refused.note(kind, in: TaskScene.space("more"))
    #expect(!refused.hasRefused(kind, in: TaskScene.space("r0"), after: 0))
    #expect(refused.hasRefused(kind, in: TaskScene.space("more"), after: 0))
  }

  @Test func onlySoMuchRefusedUserinfoIsRemembered() {
    var refused = RefusedUserinfo()
    let kinds = (0...16).map { TaskScene.password("p\($0)").kind }
    let elsewhere = Origin(scheme: .https, host: "b.example", port: 443)
    #expect(refused.space(of: kinds[0], at: TaskScene.origin) == nil)
    for kind in kinds { refused.insert(kind, in: TaskScene.space()) }
    #expect(
      refused.contains(kinds[15], in: TaskScene.space())
        && !refused.contains(kinds[16], in: TaskScene.space()))
    #expect(refused.space(of: kinds[0], at: TaskScene.origin) == TaskScene.space())
    #expect(refused.space(of: kinds[16], at: TaskScene.origin) == nil)
    #expect(refused.space(of: kinds[0], at: elsewhere) == nil)
    for number in 1...1024 { refused.insert(kinds[0], in: TaskScene.space("r\(number)")) }
    #expect(refused.contains(kinds[0], in: TaskScene.space("r1023")))
    #expect(!refused.contains(kinds[0], in: TaskScene.space("r1024")))
    let forgotten = refused.forget { $0 == TaskScene.space() }
    #expect(forgotten == 16 && !refused.contains(kinds[0], in: TaskScene.space()))
  }

  /// Its limits count for one that serves its task only; a record of the account counts for itself
  /// (storage.md 9.5.1).
  @Test(arguments: [nil, 7] as [UInt64?]) func whatServesOneTaskCountsItsUses(_ number: UInt64?) throws {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    let credential = TaskScene.password("x", limits: limits)
    let offer = Offer(authenticationMethod: .basic, realm: "r", parameters: [])
    var own = SpaceRecord.OwnCredential(
      credential, try Authenticator(offer: offer, credential: credential), from: .url,
      permanentNumber: number, chosenAfter: 0, now: 0)
    #expect(!own.isOnTrial && !own.isAccepted && !own.isRepeated && own.permits(use()))
    own.noteUse(now: 1)
    #expect(own.permits(use()) == (number != nil))
    own.isRepeated = true
    #expect(own.permits(use()))
    own.noteUse(now: 1)
    #expect(own.record.uses == 1 && !own.isRepeated && own.permits(use()) == (number != nil))
  }

  @Test func onlyARefusalOfItsTokensIsNoFaultOfASource() {
    for fault in SourceFault.allCases { #expect(fault.isRefusalOfServer == (fault == .tokensRefused)) }
  }
}
