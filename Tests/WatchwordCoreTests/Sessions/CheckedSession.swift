import WatchwordVocabulary

@testable import WatchwordCore

/// A session in a small world of origins and connections, which notes whatever must not happen:
///
/// - no credential leaves its origin: each user name says which origin it was given for, and so is each identity noted;
/// - no connection outlives the decision on which it rests;
/// - each trial has one owner;
/// - no task is forgotten: each one that waits, waits for an event that will come.
struct CheckedSession: ~Copyable {
  struct Running {
    var stage = Stage.unsent
    let hop: ExchangeRequest
    let partition: ConnectionPartition
    let isAskedForIdentities: Bool
  }

  enum Stage: Equatable {
    /// Waits for a connection.
    case unsent
    case sent(authorization: String?)
    /// Its head is there.
    case receiving
  }

  private(set) var scene: SessionScene
  var servers: [Server]
  private(set) var running: [TaskIdentifier: Running] = [:]
  private(set) var waiting: Set<TaskIdentifier> = []
  private(set) var finished: Set<TaskIdentifier> = []
  private(set) var open: Set<String> = []
  private(set) var closed: Set<String> = []
  private(set) var lastClosed: [String] = []
  private(set) var faults: [String] = []
  private(set) var sentWithCredentials = 0
  private(set) var connectionsUsedAgain = 0
  private(set) var identitiesPresented = 0
  /// The origins that each identity was given for; nil stands for all.
  private var identityOrigins: [String: Set<Origin>?] = [:]
  /// Identities whose keys are there for the tasks of one answer.
  private var lent: Set<String> = []
  private var connections: [Connection] = []

  /// - Parameter servedTogether: how many tasks or challenges an event serves.
  init(_ servers: [Server], servedTogether: Int) {
    var configuration = SessionConfiguration()
    configuration.headers = [HeaderField("X-Session", "1")]
    scene = SessionScene(configuration, servedTogether: servedTogether)
    self.servers = servers
  }

  var tasks: [TaskIdentifier: SessionTask] { scene.state.tasks }
  var hasFault: Bool { !faults.isEmpty }
  var isBehind: Bool { scene.state.isBehind }

  func challenge(_ identifier: String) -> PendingChallenge? { scene.state.board.challenge(identifier) }

  mutating func advance(_ seconds: Double) { scene.now += seconds }

  // MARK: Events

  mutating func take(_ event: (inout SessionState) -> [SessionEffect]) {
    scene.take(event)
    carryOut(scene.effects)
    checkState()
  }

  mutating func begin(of peer: UInt64, _ url: RequestURL, isDetached: Bool) {
    let task = scene.add(of: peer, url, isDetached: isDetached)
    take { $0.handle(.begin, of: task) }
  }

  mutating func reply(
    _ challenge: String, by peer: UInt64, _ disposition: Disposition, _ credential: Credential?
  ) {
    if case .identity(let identity)? = credential?.kind,
      let origin = scene.state.board.challenge(challenge)?.question.space.origin
    {
      give(identity, for: origin, isLent: credential?.persistence == Persistence.none)
    }
    do throws(ChallengeBoard.ReplyFault) {
      let (_, effects) = try scene.state.reply(
        challenge, by: PeerIdentifier(peer), .disposition(disposition, credential))
      if closed.contains(challenge) { faults.append("\(challenge) took an answer after its end") }
      take { _ in effects }
    } catch {
      if error == .notPending, open.contains(challenge),
        scene.state.board.roster.isHolder(PeerIdentifier(peer)),
        scene.state.board.challenge(challenge) == nil
      {
        faults.append("\(challenge) is open and takes no answer")
      }
    }
  }

  /// An identity comes to the session, for one origin or for all.
  mutating func give(_ identity: Identity, for origin: Origin?, isLent: Bool = false) {
    let identifier = identity.identifier
    switch (identityOrigins[identifier], origin) {
    case (.some(.none), _), (_, nil): identityOrigins[identifier] = .some(nil)
    case (.some(.some(let origins)), let origin?): identityOrigins[identifier] = origins.union([origin])
    case (nil, let origin?): identityOrigins[identifier] = [origin]
    }
    if isLent {
      lent.insert(identifier)
    } else {
      take { $0.add(identity, for: origin, limits: CredentialLimits()).1 }
    }
  }

  /// The request goes onto a connection: one that is open, or a new one with a handshake.
  mutating func connect(_ identifier: TaskIdentifier) {
    guard let exchange = running[identifier], exchange.stage == .unsent, let task = tasks[identifier],
      let server = server(of: exchange.hop.url.origin)
    else { return }
    if server.origin.isSecure {
      let known = connections.first {
        !$0.isClosed && $0.origin == server.origin && $0.partition == exchange.partition
      }
      if let known {
        connectionsUsedAgain += 1
        checkGround(of: known)
      } else {
        var none = PermanentTrust()
        let ruling = scene.state.ruling(
          on: server.chain, with: server.faults, from: server.origin, at: .origin, in: exchange.partition,
          permanent: &none)
        switch ruling {
        case .accept:
          guard let identity = present(to: server, in: exchange, of: identifier) else { return }
          connections.append(
            Connection(
              origin: server.origin, partition: exchange.partition, chain: server.chain,
              faults: server.faults, identity: identity.isEmpty ? nil : identity))
        case .ask(let faults):
          let trust = ServerTrust(certificates: [], presented: server.chain, faults: faults)
          return end(identifier, .serverTrustUndecided(trust))
        case .refuse(let faults): return end(identifier, .serverTrustRejected(faults))
        }
      }
    }
    var value = exchange.hop.authorization
    if exchange.hop.isAuthorizedLate { value = scene.state.authorization(of: task) }
    let authorization = value.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    if let authorization { checkOrigin(of: authorization, server) }
    running[identifier]?.stage = .sent(authorization: authorization)
  }

  /// The server asks for a client certificate, if it does.
  ///
  /// - Returns: The identity that is presented, empty for none; nil when the handshake has ended.
  private mutating func present(to server: Server, in exchange: Running, of task: TaskIdentifier) -> String? {
    guard let request = server.certificateRequest else { return "" }
    let lent = lent
    let order = scene.state.ruling(
      on: request, from: server.origin, in: exchange.partition, isLent: { lent.contains($0) },
      isAsked: exchange.isAskedForIdentities)
    switch order {
    case .presentNone: return ""
    case .ask:
      if !exchange.isAskedForIdentities { faults.append("a task is asked that takes no such question") }
      end(task, .clientCertificateUndecided(request))
      return nil
    case .present(let identity):
      identitiesPresented += 1
      checkOrigin(ofIdentity: identity, server)
      // Now and then the server does not take it.
      guard identitiesPresented % 16 == 0 else { return identity }
      scene.state.refused(identity, for: request, from: server.origin, in: exchange.partition)
      end(
        task,
        exchange.isAskedForIdentities
          ? .clientCertificateUndecided(request) : .clientCertificateRefused(.certificateRefused))
      return nil
    }
  }

  /// The server answers as it would: it accepts its own password only, or says something else altogether.
  mutating func answer(_ identifier: TaskIdentifier, redirectingTo host: String?, isOutOfOrder: Bool) {
    guard case .sent(let authorization)? = running[identifier]?.stage, let task = tasks[identifier],
      let server = server(of: running[identifier]?.hop.url.origin)
    else { return }
    running[identifier]?.stage = .receiving
    var head = ResponseHead(status: isOutOfOrder ? 503 : 200, headers: [])
    if let challenge = server.challenge, !isOutOfOrder, !server.accepts(authorization) {
      head = ResponseHead(status: 401, headers: [HeaderField("WWW-Authenticate", challenge)])
    } else if let host {
      head = ResponseHead(status: 302, headers: [HeaderField("Location", host)])
    }
    take { $0.handle(.received(head), of: task) }
  }

  mutating func end(_ identifier: TaskIdentifier, _ error: TransportError? = nil) {
    guard running[identifier] != nil, let task = tasks[identifier] else { return }
    running[identifier] = nil
    take { $0.handle(.exchangeEnded(error, body: .empty), of: task) }
  }

  /// The caller cancels the task.
  mutating func stop(_ task: SessionTask) {
    take { $0.stop(task, .cancelled) }
    carryOut([.task(task.identifier, .stop(.cancelled))])
  }

  mutating func changePolicy(allowsLoosening: Bool) {
    var rule = TrustPolicy.Rule()
    rule.allowsLooseningTrust = allowsLoosening
    scene.policy = TrustPolicy(defaults: rule)
    let unsent = tasks.values.filter { running[$0.identifier]?.stage == .unsent }
    take { $0.policyChanged(unsent: unsent) }
  }

  /// Lets everything come to its end.
  mutating func drain() {
    for _ in 0..<100_000 {
      for task in tasks.values where task.isSuspended { take { $0.resume(task) } }
      if let identifier = running.keys.min(by: { $0.number < $1.number }) {
        connect(identifier)
        answer(identifier, redirectingTo: nil, isOutOfOrder: false)
        end(identifier)
      } else if isBehind {
        take { $0.goOn() }
      } else if let deadline = scene.state.nextDeadline {
        scene.now = max(scene.now, deadline)
        take { $0.tick() }
      } else {
        break
      }
    }
    for task in tasks.values {
      faults.append("task \(task.identifier.number) is forgotten: \(task.machine.phase)")
    }
    if isBehind { faults.append("something is left to do") }
    if !open.isEmpty { faults.append("\(open.sorted()) stay open") }
    if scene.state.board.waitingCount > 0 { faults.append("tasks still wait on the board") }
  }

  // MARK: Effects

  private mutating func carryOut(_ effects: [SessionEffect]) {
    for effect in effects {
      switch effect {
      case .send(let task, let hop, let partition, let isAsked):
        if running[task] != nil { faults.append("\(task.number) sends twice at a time") }
        running[task] = Running(hop: hop, partition: partition, isAskedForIdentities: isAsked)
        if let value = hop.authorization, let server = server(of: hop.url.origin) {
          checkOrigin(of: value.withBytes { String(decoding: $0, as: UTF8.self) }, server)
        }
      case .task(let task, let effect): carryOut(effect, for: task)
      case .keep(let task, _, let key, _, let generation):
        carryOut(scene.state.kept(key, generation: generation, as: nil, by: task))
      case .notify(let peer, let challenge):
        if closed.contains(challenge.identifier) {
          faults.append("\(challenge.identifier) comes after its end")
        }
        if !scene.state.board.roster.isHolder(peer) { faults.append("a stranger was asked") }
        open.insert(challenge.identifier)
      case .settled(let challenge, _, _, _):
        if open.remove(challenge) == nil { faults.append("\(challenge) was settled, and was not open") }
        if !closed.insert(challenge).inserted { faults.append("\(challenge) was settled twice") }
        lastClosed = lastClosed.suffix(7) + [challenge]
      case .closeConnections(let reason): close(reason)
      case .releaseLentKeys:
        lent = lent.filter { scene.state.trust.grants.mentions(identity: $0) }
      case .readSource: faults.append("a source was read where none is bound")
      case .tellSource: faults.append("a source was told something where none is bound")
      case .stopReading: faults.append("a reading was stopped where none is bound")
      case .forgetTickets, .forgetAllTickets, .releaseKeys, .announce, .announceMany, .announceIdentity,
        .coalesced, .record, .warn, .warnOfExchanges, .warnOfPin, .useRoots:
        break
      }
    }
  }

  private mutating func carryOut(_ effect: TaskEffect, for task: TaskIdentifier) {
    switch effect {
    case .takeBack:
      guard running[task]?.stage == .unsent, let known = tasks[task] else { return }
      running[task] = nil
      carryOut(scene.state.handle(.takenBack, of: known))
    case .beginWait:
      if !waiting.insert(task).inserted { faults.append("\(task.number) waits twice") }
    case .endWait:
      if waiting.remove(task) == nil { faults.append("\(task.number) was answered and did not wait") }
    case .finish, .stop: finish(task)
    case .askRedirect:
      guard let known = tasks[task] else { return }
      carryOut(scene.state.handle(.redirectAnswered(nil), of: known))
    case .negotiate:
      // No library: every token fails.
      guard let known = tasks[task] else { return }
      carryOut(scene.state.handle(.negotiated(.failed(.unavailable)), of: known))
    case .readBody, .readPage, .body, .redirected, .passed, .deliverHeld: break
    }
  }

  private mutating func finish(_ task: TaskIdentifier) {
    guard let known = tasks[task] else { return faults.append("\(task.number) finished twice") }
    running[task] = nil
    waiting.remove(task)
    finished.insert(task)
    carryOut(scene.state.remove(known))
  }

  private mutating func close(_ reason: SessionEffect.Closing) {
    for index in connections.indices {
      switch reason {
      case .somethingIsNew, .somethingIsGone: connections[index].isClosed = true
      case .partitionIsOver(let partition):
        if connections[index].partition == partition { connections[index].isClosed = true }
      case .groundIsOver(let ground):
        if connections[index].partition.dependsOn(ground) { connections[index].isClosed = true }
      }
    }
    connections.removeAll(where: \.isClosed)
    if case .groundIsOver(let ground) = reason {
      for (task, exchange) in running where exchange.partition.dependsOn(ground) && exchange.stage == .unsent
      {
        faults.append("\(task.number) is to send over a partition that is over")
      }
    }
  }

  // MARK: What must not happen

  private func server(of origin: Origin?) -> Server? { servers.first { $0.origin == origin } }

  private mutating func checkOrigin(of authorization: String, _ server: Server) {
    sentWithCredentials += 1
    guard !server.wasGiven(authorization) else { return }
    faults.append("a credential left its origin: \(authorization) to \(server.origin)")
  }

  private mutating func checkOrigin(ofIdentity identity: String, _ server: Server) {
    if case .some(.some(let origins)) = identityOrigins[identity], !origins.contains(server.origin) {
      faults.append("identity \(identity) went to \(server.origin)")
    }
    if !lent.contains(identity), !scene.state.mayStillPresent(identity) {
      faults.append("identity \(identity) was presented after its end")
    }
  }

  /// Whether a handshake of today would accept what the connection was opened with.
  private mutating func checkGround(of connection: Connection) {
    var trust = scene.state.trust
    let ruling = trust.ruling(
      on: connection.chain, with: connection.faults, from: connection.origin, in: connection.partition,
      now: scene.now)
    if ruling != .accept { faults.append("a connection to \(connection.origin) has outlived its decision") }
    if let identity = connection.identity, !lent.contains(identity),
      !scene.state.mayStillPresent(identity)
    {
      faults.append("a connection to \(connection.origin) has outlived its identity")
    }
  }

  private mutating func checkState() {
    let board = scene.state.board
    var trying: Set<TaskIdentifier> = []
    for trier in board.triers {
      if !trying.insert(trier).inserted { faults.append("\(trier.number) tries two credentials") }
      if tasks[trier]?.machine.mayTry != true, !isDue(trier) {
        faults.append("\(trier.number) holds a trial up")
      }
    }
    for task in tasks.values where task.machine.isAsking {
      if !waiting.contains(task.identifier) {
        faults.append("\(task.identifier.number) asks and does not wait")
      }
      if board.nextDeadline == nil, !isDue(task.identifier) { faults.append("a question without a deadline") }
    }
  }
}

extension CheckedSession {
  /// Whether `goOn` has an answer for the task.
  private func isDue(_ task: TaskIdentifier) -> Bool {
    scene.state.consequences.contains {
      switch $0 {
      case .answer(task, _), .hold(task): true
      default: false
      }
    }
  }
}

extension TaskStateMachine {
  /// Whether it is in a phase in which it sends what it was given to try, or hears of it.
  fileprivate var mayTry: Bool {
    switch phase {
    case .readingBody, .readingPage, .awaitingTurn, .makingToken, .verifying, .exchanging, .receiving: true
    case .ready, .asking, .askingInHandshake, .askingRedirect, .finished: false
    }
  }

  fileprivate var isAsking: Bool {
    if case .asking = phase { true } else if case .askingInHandshake = phase { true } else { false }
  }
}
