package import WatchwordVocabulary

extension ProtectionSpace {
  package var subject: ChallengeSubject {
    ChallengeSubject(authenticationMethod, isTrustedChain: serverTrust?.isTrusted ?? false)
  }
}

/// The connections that hold a session, and which challenges each takes (challenges.md 3.1).
package struct DelegateRoster: Sendable {
  /// In the order in which they registered.
  private var order: [PeerIdentifier] = []
  private var interests: [PeerIdentifier: DelegateInterest] = [:]
  /// How many session delegates take each method: a response may ask about thousands of spaces.
  private var sessionDelegates: [AuthenticationMethod: Int] = [:]
  /// The same, of each process.
  private var ofProcesses: [ProcessIdentifier: [AuthenticationMethod: Int]] = [:]
  /// Those that may fetch by rules and see nothing else of the session.
  private var restrictions: [PeerIdentifier: RestrictionIdentifier] = [:]
  private var processes: [PeerIdentifier: ProcessIdentifier] = [:]
  /// Counts for the two questions of every TLS exchange; a session may have a thousand holders.
  private var chainWatchers = Watchers(.trustedChain)
  private var certificateWatchers = Watchers(ChallengeSubject(.clientCertificate))

  package init() {}

  package var holders: [PeerIdentifier] { order }
  package var isEmpty: Bool { order.isEmpty }

  /// The holders that may see what the session keeps and what it asks: all but restricted ones.
  var entitled: [PeerIdentifier] { restrictions.isEmpty ? order : order.filter(isEntitled) }

  func isEntitled(_ peer: PeerIdentifier) -> Bool { isHolder(peer) && restrictions[peer] == nil }

  /// Whether the peer may say whether a process uses a credential: never for itself (challenges.md 2.2).
  func mayConfirm(_ use: ConfirmedUse, _ peer: PeerIdentifier) -> Bool {
    guard isEntitled(peer), let process = processes[peer], let asked = use.process else { return false }
    return process != asked
  }

  package func restriction(of peer: PeerIdentifier) -> RestrictionIdentifier? { restrictions[peer] }

  /// Adds a holder that takes no challenge, or makes it one, for good.
  package mutating func restrict(_ peer: PeerIdentifier, by restriction: RestrictionIdentifier) {
    register(peer, interest: .nothing)
    restrictions[peer] = restriction
  }

  package func interest(of peer: PeerIdentifier) -> DelegateInterest? { interests[peer] }

  package func isHolder(_ peer: PeerIdentifier) -> Bool { interests[peer] != nil }

  /// Adds a holder, or changes what it takes; nil leaves that as it is.
  package mutating func register(
    _ peer: PeerIdentifier, of process: ProcessIdentifier? = nil, interest: DelegateInterest?
  ) {
    let interest = restrictions[peer] == nil ? interest : nil
    unwatch(peer)
    if let process { processes[peer] = process }
    defer { watch(peer) }
    if interests[peer] == nil {
      order.append(peer)
      interests[peer] = interest ?? .nothing
    } else if let interest {
      interests[peer] = interest
    }
  }

  package mutating func remove(_ peer: PeerIdentifier) {
    unwatch(peer)
    restrictions[peer] = nil
    processes[peer] = nil
    guard interests.removeValue(forKey: peer) != nil else { return }
    order.removeAll { $0 == peer }
  }

  /// Whether the peer is a session delegate that takes this challenge: it answers for every task.
  package func isSessionDelegate(_ peer: PeerIdentifier, for subject: ChallengeSubject) -> Bool {
    interests[peer]?.takesOfSession(subject) ?? false
  }

  /// Whether the peer takes this challenge for a task of its own.
  package func takes(_ subject: ChallengeSubject, forOwnTaskOf peer: PeerIdentifier) -> Bool {
    interests[peer]?.takesOfOwnTasks(subject) ?? false
  }

  /// Whether a delegate takes this question of the task.
  func hasCandidate(
    for subject: ChallengeSubject, of waiter: ChallengeWaiter, confirming use: ConfirmedUse? = nil
  ) -> Bool {
    let count = sessionDelegates[subject.method] ?? 0
    if let use {
      guard let process = use.process else { return false }
      return count > ofProcesses[process]?[subject.method] ?? 0
    }
    if let peer = waiter.peer, takes(subject, forOwnTaskOf: peer) { return true }
    return count > 0
  }

  /// Whether a delegate is asked about every chain that this task meets, including trusted ones.
  package func seesEveryChain(of waiter: ChallengeWaiter) -> Bool {
    chainWatchers.concern(waiter)
  }

  /// Whether a delegate is asked which client certificate this task presents.
  package func takesIdentityQuestions(of waiter: ChallengeWaiter) -> Bool {
    certificateWatchers.concern(waiter)
  }

  private mutating func count(_ change: Int, _ interest: DelegateInterest, of process: ProcessIdentifier?) {
    for method in AuthenticationMethod.allCases where interest.session.contains(method) {
      sessionDelegates[method, default: 0] += change
      guard let process else { continue }
      ofProcesses[process, default: [:]][method, default: 0] += change
      if ofProcesses[process]?[method] == 0 { ofProcesses[process]?[method] = nil }
    }
    if let process, ofProcesses[process, default: [:]].isEmpty { ofProcesses[process] = nil }
  }

  private mutating func watch(_ peer: PeerIdentifier) {
    guard let interest = interests[peer] else { return }
    count(1, interest, of: processes[peer])
    chainWatchers.add(peer, interest)
    certificateWatchers.add(peer, interest)
  }

  private mutating func unwatch(_ peer: PeerIdentifier) {
    guard let interest = interests[peer] else { return }
    count(-1, interest, of: processes[peer])
    chainWatchers.remove(peer, interest)
    certificateWatchers.remove(peer, interest)
  }

  /// The connection to ask next (challenges.md 3.4 and 3.5), or nil.
  ///
  /// Session-wide methods go to the session's delegates first, the others to the connections of the waiting
  /// tasks. A use is confirmed by the session's delegates alone.
  func candidate(
    for subject: ChallengeSubject, among queue: [ChallengeWaiter], without excluded: Set<PeerIdentifier>,
    confirming use: ConfirmedUse?
  ) -> PeerIdentifier? {
    let delegates = order.lazy.filter { !excluded.contains($0) && isSessionDelegate($0, for: subject) }
    if let use { return delegates.first { mayConfirm(use, $0) } }
    let owners = queue.lazy.compactMap(\.peer).filter { peer in
      !excluded.contains(peer) && takes(subject, forOwnTaskOf: peer)
    }
    return subject.method.isSessionWide ? delegates.first ?? owners.first : owners.first ?? delegates.first
  }
}

/// The connections that take one kind of question, and how many of them take it from any task.
private struct Watchers: Sendable {
  let subject: ChallengeSubject
  private var peers: Set<PeerIdentifier> = []
  private var ofSession = 0

  init(_ subject: ChallengeSubject) { self.subject = subject }

  func concern(_ waiter: ChallengeWaiter) -> Bool {
    guard !peers.isEmpty else { return false }
    return ofSession > 0 || waiter.peer.map(peers.contains) ?? false
  }

  mutating func add(_ peer: PeerIdentifier, _ interest: DelegateInterest) {
    guard interest.takesOfOwnTasks(subject) else { return }
    peers.insert(peer)
    if interest.takesOfSession(subject) { ofSession += 1 }
  }

  mutating func remove(_ peer: PeerIdentifier, _ interest: DelegateInterest) {
    guard peers.remove(peer) != nil else { return }
    if interest.takesOfSession(subject) { ofSession -= 1 }
  }
}

/// Which challenges a connection takes.
package struct DelegateInterest: Sendable, Equatable {
  package enum Methods: Sendable, Equatable {
    case all
    case only(Set<AuthenticationMethod>)

    package func contains(_ method: AuthenticationMethod) -> Bool {
      switch self {
      case .all: true
      case .only(let methods): methods.contains(method)
      }
    }
  }

  /// For tasks that the connection started.
  package var tasks: Methods
  /// For any task of the session.
  package var session: Methods
  /// Whether it is asked about every chain, or only about chains that default evaluation refuses.
  package var trustVerdicts: TrustVerdicts

  package init(
    tasks: Methods = .only([]), session: Methods = .only([]), trustVerdicts: TrustVerdicts = .all
  ) {
    self.tasks = tasks
    self.session = session
    self.trustVerdicts = trustVerdicts
  }

  /// Whether it takes this challenge from any task of the session.
  func takesOfSession(_ subject: ChallengeSubject) -> Bool {
    session.contains(subject.method) && isAskedAbout(subject)
  }

  /// Whether it takes this challenge from its own tasks.
  func takesOfOwnTasks(_ subject: ChallengeSubject) -> Bool {
    (tasks.contains(subject.method) || session.contains(subject.method)) && isAskedAbout(subject)
  }

  private func isAskedAbout(_ subject: ChallengeSubject) -> Bool {
    trustVerdicts == .all || !subject.isTrustedChain
  }

  package static let nothing = DelegateInterest()
}
