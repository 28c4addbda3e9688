import WatchwordCore
import WatchwordMessages
import WatchwordProtocol
import WatchwordReactor
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// A session over a fake engine, and what it has told those around it.
@ReactorActor
final class SessionScene: SessionEnvironment, SourceEnvironment, VaultEnvironment {
  func isLocked(_ uid: UInt32) -> Bool { false }
  var isSynchronized: Bool { false }
  func userRoots(of uid: UInt32) -> UserRoots { UserRoots() }
  func changes(of uid: UInt32) -> AccountChanges { changes }
  func restIfUnused() { onRest() }

  let engine = FakeEngine()
  private(set) var session: SessionDriver!
  /// What was said to whom, in order.
  private(set) var told: [String] = []
  /// Called with each challenge that is notified, while that happens.
  var onChallenge: ((PendingChallenge) -> Void)?
  /// Called when sessions may have become empty.
  var onRest: () -> Void = {}

  private(set) var history: [HistoryEntry] = []

  let counters = Counters()
  let budget = MemoryBudget(limit: Limits.bytesPerUID)
  private(set) lazy var vaults = VaultStore(nil, self)
  let kerberosFiles = KerberosFiles()
  private(set) var changes: AccountChanges!
  private(set) lazy var sources = SourceRegistry([:], self)
  var policy = TrustPolicy()
  var proxies: ProxyRules?
  private(set) var lastTask = TaskIdentifier(0)

  /// - Parameter changes: of the uid; nil: the session is its only one.
  init(
    _ configuration: SessionConfiguration = SessionConfiguration(), isNamed: Bool = true,
    following changes: AccountChanges? = nil
  ) {
    self.changes = changes ?? AccountChanges(of: 1) { [unowned self] in [session] }
    session = SessionDriver(
      name: "scene", isNamed: isNamed, uid: 1, configuration: configuration,
      charge: MemoryCharge(budget, uid: 1), allowedOrigins: nil, engine: engine, environment: self)
  }

  func sourcesChanged() {}
  func note(_ note: VaultStore.Note) {}
  func whenFollowed(by uid: UInt32, _ then: @escaping @ReactorActor () -> Void) { then() }
  func permanentCredentialsChanged(_ alteration: PermanentCredentials.Alteration, of uid: UInt32) {}
  func permanentIdentitiesChanged(_ changes: [PermanentIdentityChange], of uid: UInt32) {}
  func permanentContentsRead(of uid: UInt32) {}
  func vaultChanged(of uid: UInt32) {}
  /// Of the sources of tokens.
  let endpointEngine = FakeEngine()
  func makeEngine(_ configuration: EngineConfiguration) -> any ExchangeEngine { endpointEngine }

  // MARK: What a test does

  static func url(_ path: String = "/d/x", scheme: WebScheme = .https) -> RequestURL {
    RequestURL(
      origin: Origin(scheme: scheme, host: "a.example", port: scheme.defaultPort), path: path, query: nil)
  }

  func delegate(_ peer: UInt64, _ methods: Set<AuthenticationMethod> = [.basic]) {
    session.register(
      PeerIdentifier(peer), interest: DelegateInterest(tasks: .only(methods), session: .only(methods)))
  }

  /// Begins a task and says with which outcome it ends: `status body`, or the failure.
  func begin(
    of peer: UInt64 = 1, _ url: RequestURL = SessionScene.url(), output: (any TaskOutput)? = nil,
    body: RequestBody = RequestBody(.none), isDetached: Bool = false, before: () -> Void = {}
  ) -> TaskDriver {
    lastTask = TaskIdentifier(lastTask.number + 1)
    let number = lastTask.number
    var request = TaskRequest(
      identifier: lastTask,
      firstStep: RequestStep(
        url: url, method: body.isEmpty ? "GET" : "POST", headers: [], body: body.content))
    request.peer = PeerIdentifier(peer)
    request.process = Self.process(peer)
    request.isDetached = isDetached
    request.bodyBytes = body.size
    request.bodyDigest = { body.digestBody($0) }
    let order = TaskDriver.Order(
      name: "t\(number)", body: body, resourceSeconds: 600, hasOwnCookies: false,
      reportsMetrics: false,
      output: output
        ?? CollectingOutput(
          inlineLimit: 1024, memoryFileLimit: nil, charge: MemoryCharge(budget, uid: 1)),
      charge: MemoryCharge(budget, uid: 1))
    let task = TaskDriver(request, order, in: session) { [unowned self] _, outcome in
      told.append("t\(number) \(Self.text(outcome))")
    }
    before()
    session.start(task)
    return task
  }

  func reply(
    _ challenge: String, by peer: UInt64 = 1, _ disposition: Disposition = .useCredential,
    password: String? = nil
  ) {
    reply(
      challenge, by: peer, disposition,
      password.map { Credential(.password(user: "joe", password: Secret(Array($0.utf8)))) })
  }

  func reply(_ challenge: String, by peer: UInt64 = 1, _ disposition: Disposition, _ credential: Credential?)
  {
    do throws(ChallengeBoard.ReplyFault) {
      try session.feed { state throws(ChallengeBoard.ReplyFault) in
        try state.reply(challenge, by: PeerIdentifier(peer), .disposition(disposition, credential))
      } acknowledge: { _ in
        told.append("acknowledged")
      }
    } catch {
      told.append("refused \(error)")
    }
  }

  /// The challenge that was notified last.
  private(set) var challenge = ""

  static func process(_ peer: UInt64) -> ProcessIdentifier {
    ProcessIdentifier(pid: Int32(peer), startTime: 0)
  }

  private static func text(_ outcome: TaskOutcome) -> String {
    switch outcome {
    case .success(let result):
      switch result.body {
      case .bytes(let bytes):
        "\(result.head.status) \(String(decoding: bytes, as: UTF8.self))" + (result.isTruncated ? "…" : "")
      case .file, .size, .partial: "\(result.head.status)"
      }
    case .failure(let failure): "\(failure)"
    }
  }

  // MARK: What the session says

  func began(_ task: TaskDriver) {}

  func ended(_ task: TaskDriver, _ outcome: TaskOutcome) {}

  func process(of peer: PeerIdentifier) -> ProcessIdentifier? { SessionScene.process(peer.number) }

  func notify(_ peer: PeerIdentifier, of challenge: PendingChallenge, in session: SessionDriver) {
    self.challenge = challenge.identifier
    told.append("asked \(peer.number)")
    onChallenge?(challenge)
  }

  func notify(_ peers: [PeerIdentifier], _ notification: WatchwordMessages.Notification) {
    switch notification {
    case .challengeDidSettle(let settled): told.append("settled \(settled.outcome)")
    case .credentialDidChange(let changed): told.append("credential \(changed.change)")
    default: told.append("\(notification)")
    }
  }

  func record(_ entry: HistoryEntry, of uid: UInt32) { history.append(entry) }

  func warn(ofPinFrom origin: Origin, in session: SessionDriver) { told.append("warned of a pin") }
  func warn(of fault: SourceFault, ofSource name: String, for origin: Origin, in session: SessionDriver) {
    told.append("warned of a source")
  }
  func warn(ofExchangesOf task: TaskDriver, in session: SessionDriver) { told.append("warned of exchanges") }
  func warn(of weaker: WeakerOffer, met task: TaskDriver, in session: SessionDriver) { told.append("warned") }

  func sessionIsEnding(_ session: SessionDriver, holders: [PeerIdentifier]) {
    told.append("ending for \(holders.map(\.number).sorted())")
  }

  func sessionEnded(
    _ session: SessionDriver, _ reason: SessionEnd, holders: [PeerIdentifier]
  ) {
    told.append("session \(reason)")
  }
}
