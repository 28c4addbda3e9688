import WatchwordVocabulary

@testable import WatchwordCore

/// A board with numbered peers and tasks, and what it has said so far.
struct BoardScene {
  var board: ChallengeBoard
  var now = 0.0
  private(set) var resumed: [UInt64: ChallengeVerdict] = [:]
  private(set) var decided: [HandshakeDecision] = []
  private(set) var readings: [(name: String, challenge: String)] = []
  private(set) var stopped: [String] = []
  private(set) var notices: [(peer: UInt64, challenge: String)] = []
  private(set) var settled: [(challenge: String, outcome: ChallengeOutcome, disposition: Disposition?)] = []
  var lastTask: UInt64 = 0

  init(unanswered: UnansweredMeaning = .cancel) {
    var settings = SessionConfiguration.Challenges()
    settings.unanswered = unanswered
    let counter = Counter()
    board = ChallengeBoard(settings: settings) { counter.next() }
  }

  private final class Counter: @unchecked Sendable {
    /// Used by one test on one thread.
    private var count = 0
    func next() -> String {
      count += 1
      return "c\(count)"
    }
  }

  /// The challenge that was notified last.
  var current: String { notices.last?.challenge ?? "" }

  mutating func delegate(
    _ peer: UInt64, tasks: Set<AuthenticationMethod> = [], session: Set<AuthenticationMethod> = [],
    trustVerdicts: DelegateInterest.TrustVerdicts = .all, of process: ProcessIdentifier? = nil
  ) {
    let interest = DelegateInterest(
      tasks: .only(tasks), session: .only(session), trustVerdicts: trustVerdicts)
    take(
      board.register(
        PeerIdentifier(peer), of: process ?? Self.process(peer), interest: interest, now: now))
  }

  mutating func disconnect(_ peer: UInt64, ending tasks: [UInt64] = []) {
    take(board.remove(PeerIdentifier(peer), ending: tasks.map { TaskIdentifier($0) }, now: now))
  }

  mutating func ask(
    _ task: UInt64, of peer: UInt64?, realm: String = "r", method: AuthenticationMethod = .basic,
    isShared: Bool = true, refused: Credential? = nil, known: [Credential] = [],
    confirming process: ProcessIdentifier? = nil
  ) {
    ask(
      task, of: peer, about: Self.space(realm, method), isShared: isShared, refused: refused, known: known,
      confirming: process)
  }

  mutating func ask(
    _ task: UInt64, of peer: UInt64?, about space: ProtectionSpace, isShared: Bool = true,
    refused: Credential? = nil, known: [Credential] = [], confirming process: ProcessIdentifier? = nil
  ) {
    lastTask = max(lastTask, task)
    resumed[task] = nil
    let question = ChallengeQuestion(
      url: Self.url("/t\(task)"), space: space, offers: [], proposed: nil,
      previousFailureCount: refused == nil ? 0 : 1, failureResponse: nil,
      confirmation: process.map { ConfirmedUse(process: $0) }, refused: known.map(\.kind),
      sharing: isShared ? .overWays([]) : .alone)
    let waiter = ChallengeWaiter(task: TaskIdentifier(task), peer: peer.map { PeerIdentifier($0) })
    if let refused { board.refused(refused.kind, to: waiter.task) }
    take(board.ask(question, by: waiter, now: now))
  }

  mutating func reply(
    _ peer: UInt64, _ disposition: Disposition, _ credential: Credential? = nil, to challenge: String? = nil
  ) throws(ChallengeBoard.ReplyFault) {
    take(
      try board.reply(
        challenge ?? current, by: PeerIdentifier(peer), disposition, credential,
        lastTask: TaskIdentifier(lastTask), now: now))
  }

  mutating func accepted(_ task: UInt64) { take(board.accepted(TaskIdentifier(task), now: now)) }

  mutating func leave(_ task: UInt64, refused: Credential? = nil) {
    if let refused { board.refused(refused.kind, to: TaskIdentifier(task)) }
    take(board.leave(TaskIdentifier(task), now: now))
  }

  mutating func tick(after seconds: Double) {
    now += seconds
    take(board.tick(now: now))
  }

  /// The source of the last reading gives this.
  mutating func sourceGives(_ credential: Credential?) {
    guard let reading = readings.last else { return }
    take(board.sourceRead(reading.challenge, credential, now: now))
  }

  /// The source of the last reading needs a person.
  mutating func sourcePrompts(_ code: String) {
    guard let reading = readings.last,
      let prompt = DevicePrompt(verificationURI: "https://id.example/", userCode: code)
    else { return }
    take(board.sourcePrompts(reading.challenge, prompt, now: now))
  }

  mutating func unbind() {
    board.sources.removeAll()
    take(board.stopUnboundReadings(now: now))
  }

  mutating func sourceFails(_ failure: SourceFailure) {
    guard let reading = readings.last else { return }
    take(board.sourceRead(reading.challenge, nil, failure, now: now))
  }

  private mutating func take(_ effects: [ChallengeBoard.Effect]) {
    for effect in effects {
      switch effect {
      case .notify(let peer, let challenge): notices.append((peer.number, challenge))
      case .settled(let challenge, let outcome, let disposition, _):
        settled.append((challenge, outcome, disposition))
      case .resume(let task, let verdict): resumed[task.number] = verdict
      case .decided(let decision): decided.append(decision)
      case .readSource(let name, let challenge): readings.append((name, challenge))
      case .stopReading(let challenge): stopped.append(challenge)
      case .askAnother(let challenge): take(board.askAnother(about: challenge, now: now))
      }
    }
  }

  /// That of a peer.
  static func process(_ peer: UInt64) -> ProcessIdentifier {
    ProcessIdentifier(pid: Int32(peer), startTime: 0)
  }

  static func url(_ path: String) -> RequestURL {
    RequestURL(
      origin: Origin(scheme: .https, host: "a.example", port: 443), path: path, query: "secret=1")
  }

  static func space(_ realm: String, _ method: AuthenticationMethod = .basic) -> ProtectionSpace {
    ProtectionSpace(origin: url("/").origin, realm: OctetString(realm), authenticationMethod: method)
  }

  static func password(_ password: String, _ persistence: Persistence = .forSession) -> Credential {
    Credential(.password(user: "joe", password: Secret(Array(password.utf8))), persistence: persistence)
  }
}
