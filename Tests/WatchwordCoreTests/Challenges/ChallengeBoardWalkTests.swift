import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Keeps its own account of a board's tasks and challenges, and objects to every effect that does not fit.
private struct CheckedBoard {
  var board: ChallengeBoard
  var now = 0.0
  /// The peer of each task that waits, and of each that has a credential to try.
  private(set) var waiting: [TaskIdentifier: PeerIdentifier] = [:]
  private(set) var trying: [TaskIdentifier: (peer: PeerIdentifier, credential: Credential)] = [:]
  private(set) var open: Set<String> = []
  private(set) var closed: Set<String> = []
  private var givers: [Credential.Kind.Key: (peer: PeerIdentifier, speaksForAll: Bool)] = [:]
  private(set) var faults: [String] = []
  var lastTask: UInt64 = 0

  init() {
    let count = Count()
    board = ChallengeBoard { count.next() }
  }

  private final class Count: @unchecked Sendable {
    /// Used by one test on one thread.
    private var count = 0
    func next() -> String {
      count += 1
      return "c\(count)"
    }
  }

  mutating func ask(_ task: TaskIdentifier, of peer: PeerIdentifier, realm: String, refused: Credential?) {
    lastTask = max(lastTask, task.number)
    trying[task] = nil
    waiting[task] = peer
    let question = ChallengeQuestion(
      url: BoardScene.url("/"), space: BoardScene.space(realm), offers: [], proposed: nil,
      previousFailureCount: 0, failureResponse: nil)
    if let refused { board.refused(refused.kind, to: task) }
    check(board.ask(question, by: ChallengeWaiter(task: task, peer: peer), now: now))
  }

  mutating func leave(_ task: TaskIdentifier, refused: Credential? = nil) {
    waiting[task] = nil
    trying[task] = nil
    if let refused { board.refused(refused.kind, to: task) }
    check(board.leave(task, now: now))
  }

  mutating func accepted(_ task: TaskIdentifier) {
    trying[task] = nil
    check(board.accepted(task, now: now))
  }

  mutating func reply(
    _ challenge: String, by peer: PeerIdentifier, _ disposition: Disposition, _ credential: Credential?
  ) {
    let wasOpen = board.challenge(challenge) != nil
    let pending = board.challenge(challenge)
    let isOutside =
      pending.map { !$0.asked.contains(peer) && !$0.waiters.contains { $0.peer == peer } } ?? false
    let speaksForAll = isOutside || board.roster.isSessionDelegate(peer, for: ChallengeSubject(.basic))
    if let credential { givers[credential.kind.key] = (peer, speaksForAll) }
    do throws(ChallengeBoard.ReplyFault) {
      let effects = try board.reply(
        challenge, by: peer, disposition, credential, lastTask: TaskIdentifier(lastTask), now: now)
      if closed.contains(challenge) || !wasOpen { faults.append("\(challenge) took a second reply") }
      check(effects)
    } catch {
      let isConcerned = speaksForAll || (pending?.waiters.contains { $0.peer == peer } ?? false)
      if wasOpen, board.roster.isHolder(peer), isConcerned {
        faults.append("\(challenge) refused a holder's reply")
      }
      check([])
    }
  }

  mutating func register(_ peer: PeerIdentifier, _ interest: DelegateInterest) {
    check(board.register(peer, of: nil, interest: interest, now: now))
  }

  mutating func remove(_ peer: PeerIdentifier) { check(board.remove(peer, now: now)) }

  mutating func tick() { check(board.tick(now: now)) }

  private mutating func check(_ effects: [ChallengeBoard.Effect]) {
    for effect in effects { check(effect) }
    if board.waitingCount < waiting.count { faults.append("a waiter is forgotten") }
    if waiting.isEmpty != (board.nextDeadline == nil) { faults.append("a timer too many or too few") }
    for challenge in board.pending {
      if challenge.waiters.isEmpty { faults.append("no task waits for \(challenge.identifier)") }
      if !challenge.waiters.contains(challenge.raiser) { faults.append("the raiser is gone") }
      guard let peer = challenge.asked.last, board.roster.takes(ChallengeSubject(.basic), forOwnTaskOf: peer)
      else {
        faults.append("\(challenge.identifier) waits for no delegate")
        continue
      }
    }
    if board.pending.count != board.pendingCount { faults.append("an id without a question") }
  }

  private mutating func check(_ effect: ChallengeBoard.Effect) {
    switch effect {
    case .notify(let peer, let challenge):
      if closed.contains(challenge) { faults.append("\(challenge) was settled before it was asked") }
      if !board.roster.isHolder(peer) { faults.append("a stranger was asked") }
      open.insert(challenge)
    case .settled(let challenge, _, _, _):
      if open.remove(challenge) == nil { faults.append("\(challenge) was settled, and was not open") }
      if !closed.insert(challenge).inserted { faults.append("\(challenge) was settled twice") }
    case .decided: faults.append("a question of no handshake was decided")
    case .readSource: faults.append("a source was read where none is bound")
    case .stopReading: faults.append("a reading was stopped where none is bound")
    case .askAnother(let challenge):
      for effect in board.askAnother(about: challenge, now: now) { check(effect) }
    case .resume(let task, let verdict):
      guard let peer = waiting.removeValue(forKey: task) else {
        return faults.append("\(task) was answered and did not wait")
      }
      switch verdict {
      case .tryCredential(let credential):
        trying[task] = (peer, credential)
        checkScope(of: credential, for: peer)
      case .useCredential(let credential): checkScope(of: credential, for: peer)
      case .useStored, .deliverRefusal, .nextOffer, .sourceFailed, .excludeOffer, .cancel, .rejectServerTrust:
        break
      }
    }
  }

  private mutating func checkScope(of credential: Credential, for peer: PeerIdentifier) {
    guard credential.persistence == .none, let giver = givers[credential.kind.key] else { return }
    if !giver.speaksForAll && giver.peer != peer { faults.append("a credential left its scope") }
  }
}

extension Credential.Kind {
  fileprivate typealias Key = [UInt8]
  fileprivate var key: Key {
    switch self {
    case .password(_, let password): password.withBytes { Array($0) }
    case .token(let token): token.withBytes { Array($0) }
    case .trust(let scope): Array(scope.rawValue.utf8)
    case .identity(let identity): Array(identity.identifier.utf8)
    case .kerberos(let source): Array("\(source)".utf8)
    }
  }
}

struct ChallengeBoardWalkTests {
  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2, 3, 4])
  func tenThousandEventsLeaveNoTaskBehind(_ seed: UInt64) {
    print("board walk: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var checked = CheckedBoard()
    var nextTask: UInt64 = 0
    var nextCredential = 0
    for _ in 0..<10_000 {
      checked.now += Double(random.below(1000)) / 1000
      let peer = PeerIdentifier(UInt64(random.below(5)))
      let triers = checked.trying.keys.sorted { $0.number < $1.number }
      let waiters = checked.waiting.keys.sorted { $0.number < $1.number }
      let realm = random.oneIn(4) ? "s" : "r"
      switch random.below(12) {
      case 0...3:
        nextTask += 1
        checked.ask(TaskIdentifier(nextTask), of: peer, realm: realm, refused: nil)
      case 4, 5:
        nextCredential += 1
        let credential = BoardScene.password("\(nextCredential)", random.oneIn(2) ? .none : .forSession)
        let disposition = random.oneIn(2) ? .useCredential : random.pick(Disposition.allCases)
        let known = checked.open.union(random.oneIn(9) ? checked.closed : []).sorted()
        guard !known.isEmpty else { continue }
        checked.reply(random.pick(known), by: peer, disposition, random.oneIn(9) ? nil : credential)
      case 6:
        let all = random.oneIn(3)
        let tasks: Set<AuthenticationMethod> = random.oneIn(4) ? [] : [.basic]
        checked.register(
          peer, DelegateInterest(tasks: .only(tasks), session: .only(all ? [.basic] : [])))
      case 7: if random.oneIn(4) { checked.remove(peer) }
      case 8: checked.tick()
      case 9: if !triers.isEmpty { checked.accepted(random.pick(triers)) }
      case 10:
        guard !triers.isEmpty else { continue }
        let task = random.pick(triers)
        guard let (owner, credential) = checked.trying[task] else { continue }
        switch random.below(4) {
        case 0: checked.leave(task, refused: credential)
        case 1: checked.leave(task)
        default: checked.ask(task, of: owner, realm: realm, refused: credential)
        }
      default: if !waiters.isEmpty { checked.leave(random.pick(waiters)) }
      }
    }
    // One that leaves lets the next one try.
    while let task = checked.trying.keys.first { checked.leave(task) }
    while let deadline = checked.board.nextDeadline {
      checked.now = max(checked.now, deadline)
      checked.tick()
      while let task = checked.trying.keys.first { checked.leave(task) }
    }
    #expect(checked.faults.isEmpty, "seed \(seed): \(checked.faults.prefix(5))")
    #expect(checked.waiting.isEmpty && checked.open.isEmpty)
    #expect(checked.board.waitingCount == 0 && checked.board.pendingCount == 0)
    #expect(checked.closed.count > 100)
  }
}
