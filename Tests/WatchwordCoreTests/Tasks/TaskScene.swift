import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// One task, a memory that several may share, and the responses that a test thinks up.
struct TaskScene {
  let machine: TaskStateMachine
  var now = 0.0
  var process: ProcessIdentifier? = 1
  /// Whether somebody else could confirm a use.
  var confirmers = true
  var body = DigestBody.empty
  /// The methods about which a delegate can be asked.
  var askable = Set(AuthenticationMethod.allCases)
  var responseBody = DigestBody.empty
  /// Of the task; tasks that share a memory have different ones.
  var number: UInt64 = 1
  /// Which pages are login forms.
  var forms: [FormRule] = []
  /// Whether a request has its connection at once.
  var connects = true
  /// The one that a request has; nil: it is not known.
  var connection: UInt64?
  /// Whether that one has served before.
  var reusesConnection = false
  var networkProtocol = "http/1.1"
  /// Of the server's certificate, for the channel binding; empty: cleartext.
  var serverEndPoint: [UInt8] = []
  private(set) var effects: [TaskStateMachine.Effect] = []
  /// What was told of responses that are no result.
  var passedHeads: [TaskStateMachine.PassedHead] = []
  /// What the last request was given when it went onto its connection.
  private var lateAuthorization: Secret?
  private var lateProxyAuthorization: Secret?
  private var keyFields: [HeaderField] = []
  /// The session's, through which its tasks go.
  private let proxies: ProxyRules?

  init(
    _ url: RequestURL = Self.url(), method: String = "GET", headers: [HeaderField] = [],
    body: RequestStep.Body = .none, policy: MethodPolicy = MethodPolicy(), budget: Int = 5,
    redirects: RedirectPolicy = RedirectPolicy(), proxies: ProxyRules? = nil, connectionLimit: Int = 6,
    ambientOrigins: Set<Origin> = []
  ) {
    self.proxies = proxies
    machine = TaskStateMachine(
      request: RequestStep(url: url, method: method, headers: headers, body: body),
      authentication: AuthenticationStateMachine.Settings(
        policy: policy, refusalBudget: budget, connectionLimit: connectionLimit,
        ambientOrigins: ambientOrigins, clientNonce: { "c" }),
      redirectPolicy: redirects, proxies: proxies)
  }

  static let origin = Origin(scheme: .https, host: "a.example", port: 443)

  static func url(
    _ path: String = "/d/x", host: String = "a.example", scheme: WebScheme = .https,
    userinfo: RequestURL.Userinfo? = nil
  ) -> RequestURL {
    RequestURL(
      origin: Origin(scheme: scheme, host: host, port: scheme.defaultPort), path: path, query: nil,
      userinfo: userinfo)
  }

  static func secret(_ text: String) -> Secret { Secret(Array(text.utf8)) }

  static func password(
    _ password: String, user: String = "joe", _ persistence: Persistence = .forSession,
    limits: CredentialLimits = CredentialLimits()
  ) -> Credential {
    Credential(.password(user: user, password: secret(password)), persistence: persistence, limits: limits)
  }

  static func space(_ realm: String = "r", _ method: AuthenticationMethod = .basic) -> ProtectionSpace {
    ProtectionSpace(origin: origin, realm: OctetString(realm), authenticationMethod: method)
  }

  static func basic(_ realm: String = "r") -> String { "Basic realm=\"\(realm)\"" }

  static func digest(_ nonce: String, realm: String = "r", stale: Bool = false) -> String {
    "Digest realm=\"\(realm)\", qop=\"auth\", algorithm=SHA-256, nonce=\"\(nonce)\""
      + (stale ? ", stale=true" : "")
  }

  /// A server that wants the body's hash.
  static let integrityDigest = "Digest realm=\"r\", qop=\"auth-int\", algorithm=SHA-256, nonce=\"i\""

  private func context(_ memory: SessionMemory) -> TaskStateMachine.Context {
    TaskStateMachine.Context(
      TaskStateMachine.Surroundings(
        task: TaskIdentifier(number), process: process,
        canAsk: { [askable, confirmers] space, _, use, _ in
          askable.contains(space.authenticationMethod) && (use == nil || confirmers)
        }, body: { [body] _ in body },
        resolve: { location, _ in
          .resolved(TaskScene.url("/n", host: String(location.prefix { $0 != "?" && $0 != "#" })))
        }, forms: forms),
      now: now, wallClock: 1_000_000 + now, memory: memory)
  }

  /// What the last event led to.
  var sent: ExchangeRequest? {
    effects.lazy.compactMap { if case .send(let request) = $0 { request } else { nil } }.last
  }
  var readsBody: Bool {
    effects.contains { if case .task(.readBody) = $0 { true } else { false } }
  }
  var fate: TaskStateMachine.BodyFate? {
    effects.lazy.compactMap { if case .task(.body(let fate)) = $0 { fate } else { nil } }.last
  }
  /// Whether what is delivered of the held body is all of it; nil when nothing of it is.
  var heldIsWhole: Bool? {
    effects.lazy.compactMap { if case .task(.deliverHeld(let isWhole)) = $0 { isWhole } else { nil } }.last
  }
  var question: ChallengeQuestion? {
    effects.lazy.compactMap { if case .ask(let question) = $0 { question } else { nil } }.last
  }
  var report: AuthenticationStateMachine.TrialReport? {
    effects.lazy.compactMap { if case .report(let report) = $0 { report } else { nil } }.last
  }
  var warning: WeakerOffer? {
    effects.lazy.compactMap { if case .warn(let weaker) = $0 { weaker } else { nil } }.last
  }
  var isExchanging: Bool {
    if case .exchanging = machine.phase { true } else { false }
  }
  var isDelivered: Bool {
    machine.phase == .finished && failure == nil
  }
  var failure: TaskFailure? {
    effects.lazy.compactMap { if case .finish(let failure) = $0 { failure } else { nil } }.last
  }
  var authorizationOctets: [UInt8]? {
    (lateAuthorization ?? sent?.authorization).map { $0.withBytes { Array($0) } }
  }
  /// The `Authorization` value of the last request.
  var authorization: String? {
    (lateAuthorization ?? sent?.authorization).map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
  }

  /// The keys that the last request carries in fields of their own, as `name: value`.
  var keys: [String] {
    keyFields.map { field in
      field.name + ": " + field.withValue { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The request goes onto its connection.
  mutating func connect(_ memory: SessionMemory) {
    keyFields = machine.keyFields(context(memory))
    lateAuthorization = machine.authorization(over: connection, context(memory))
    lateProxyAuthorization = machine.proxyAuthorization(context(memory))
  }

  private mutating func note(_ new: [TaskStateMachine.Effect], _ memory: SessionMemory) {
    let isSent = new.contains { if case .send = $0 { true } else { false } }
    if isSent { (lateAuthorization, lateProxyAuthorization, keyFields) = (nil, nil, []) }
    if isSent && connects { connect(memory) }
  }

  /// A task whose first request was refused with these challenges.
  static func asked(_ challenges: String..., with memory: SessionMemory) -> TaskScene {
    var scene = TaskScene()
    scene.begin(memory)
    scene.refuse(challenges, with: memory)
    return scene
  }

  private mutating func take(_ event: TaskEvent, _ memory: SessionMemory) -> [TaskStateMachine.Effect] {
    let new = machine.handle(event, context(memory))
    passedHeads += new.compactMap { if case .task(.passed(let passed)) = $0 { passed } else { nil } }
    return new
  }

  mutating func begin(_ memory: SessionMemory) {
    memory.ways.change(to: CallersWays(proxies: proxies))
    effects = take(.begin, memory)
    note(effects, memory)
  }

  mutating func head(_ status: Int, _ fields: [HeaderField] = [], _ memory: SessionMemory) {
    var head = ResponseHead(status: status, headers: fields, networkProtocol: networkProtocol)
    head.connection = connection
    head.isOnReusedConnection = reusesConnection
    head.serverEndPoint = serverEndPoint
    effects = take(.received(head), memory)
  }

  mutating func end(_ memory: SessionMemory) {
    let new = take(.exchangeEnded(nil, body: responseBody), memory)
    effects += new
    note(new, memory)
  }

  mutating func refuse(_ challenges: String..., with memory: SessionMemory) {
    refuse(challenges, with: memory)
  }

  private mutating func refuse(_ challenges: [String], with memory: SessionMemory) {
    head(401, challenges.map { HeaderField("WWW-Authenticate", $0) }, memory)
    end(memory)
  }

  mutating func succeed(_ status: Int = 200, _ fields: [HeaderField] = [], with memory: SessionMemory) {
    head(status, fields, memory)
    end(memory)
    if case .accepted(let credential, let space, let authenticator, let scope)? = report,
      credential.persistence != .none
    {
      memory.store(
        credential, for: space, authenticator: authenticator, scope: scope, owner: process, now: now)
    }
  }

  mutating func redirect(to host: String, with memory: SessionMemory) {
    head(302, [HeaderField("Location", host)], memory)
    end(memory)
  }

  mutating func answer(_ verdict: ChallengeVerdict, _ memory: SessionMemory) {
    effects = take(.answered(verdict), memory)
    note(effects, memory)
  }

  mutating func endAlone(_ error: TransportError? = nil, _ memory: SessionMemory) {
    effects = take(.exchangeEnded(error, body: responseBody), memory)
    note(effects, memory)
  }

  mutating func readPage(_ reading: PageReading, _ memory: SessionMemory) {
    effects = take(.pageRead(reading), memory)
    note(effects, memory)
  }

  mutating func answerRedirect(_ memory: SessionMemory) {
    effects = take(.redirectAnswered(nil), memory)
    note(effects, memory)
  }

  mutating func readBody(_ memory: SessionMemory) {
    effects = take(.bodyRead, memory)
    note(effects, memory)
  }

  mutating func turnCame(_ memory: SessionMemory) {
    effects = take(.turnCame, memory)
    note(effects, memory)
  }

  mutating func takeBack(_ memory: SessionMemory) {
    effects = take(.takenBack, memory)
    note(effects, memory)
  }

  // MARK: Tokens

  /// The step that the last event wants from GSSAPI.
  var negotiation: NegotiationStep? {
    effects.lazy.compactMap { if case .task(.negotiate(let step)) = $0 { step } else { nil } }.last
  }

  mutating func negotiated(_ outcome: NegotiationOutcome, _ memory: SessionMemory) {
    effects = take(.negotiated(outcome), memory)
    note(effects, memory)
  }

  mutating func make(_ token: String, isComplete: Bool = true, _ memory: SessionMemory) {
    negotiated(.token(Self.secret(token), isComplete: isComplete), memory)
  }

  // MARK: The proxy

  /// The `Proxy-Authorization` value of the last request.
  var proxyAuthorization: String? {
    (lateProxyAuthorization ?? sent?.proxy?.authorization).map {
      $0.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// A response of the proxy to a request without a tunnel.
  mutating func refuseAtProxy(_ challenges: String..., with memory: SessionMemory) {
    head(407, challenges.map { HeaderField("Proxy-Authenticate", $0) }, memory)
    end(memory)
  }

  /// A response of the proxy to the request for a tunnel.
  mutating func refuseTunnel(_ challenges: String..., with memory: SessionMemory) {
    let fields = challenges.map { HeaderField("Proxy-Authenticate", $0) }
    endAlone(.proxyAuthenticationRequired(ResponseHead(status: 407, headers: fields)), memory)
  }

  mutating func openTunnel(_ memory: SessionMemory) {
    effects = take(.tunnelOpened(ResponseHead(status: 200, headers: [])), memory)
  }

  mutating func stop(_ failure: TaskFailure) { effects = machine.stop(failure) }

  /// A value of the Digest field that was sent last.
  func digestField(_ name: String) -> String? {
    authorization?.split(separator: ",").lazy
      .compactMap { part -> String? in
        let pair = part.split(separator: "=", maxSplits: 1)
        guard pair.count == 2, pair[0].split(separator: " ").last.map(String.init) == name else { return nil }
        return pair[1].filter { $0 != "\"" }
      }.first
  }
}
