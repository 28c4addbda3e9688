internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// What synchronization needs of the daemon around it.
@ReactorActor
protocol SynchronizationEnvironment: EndpointEnvironment {
  var counters: Counters { get }
  var vaults: VaultStore { get }
  func synchronizationChanged(_ note: Synchronizer.Note?)
}

/// The driver of the fleet's store: its machine decides, and this sends requests and lets vaults write.
@ReactorActor
final class Synchronizer {
  /// A message for a person.
  enum Note {
    case watching(String)
    case fault(SynchronizationFault, String)
    case foreign(Int)
  }

  /// Where the reading of an account is.
  struct Reading {
    var last: [UInt8]?
    var revision: Int64?
    var names: Set<String> = []
    var foreign = 0
  }

  /// Twice the records of a full vault, and the removals of half a year.
  nonisolated static let maximumRecords = 4 * PermanentCredentials.capacity
  /// A host that was away longer brings back what was removed meanwhile.
  nonisolated static let removalSeconds: Int64 = 180 * 24 * 3600
  /// Lines of a stream that may wait.
  static let maximumLines = 16

  let settings: SynchronizationSettings
  /// The daemon, which lives as long as the process.
  unowned let environment: any SynchronizationEnvironment
  private(set) var machine: SynchronizationStateMachine
  /// Those that the machine knows.
  private var known: Set<UInt32> = []
  var readings: [UInt32: Reading] = [:]
  private var material: FleetMaterial?
  private var places: [UInt32: FleetReader.Place] = [:]
  private var engine: (any ExchangeEngine)?
  var token: Secret?
  /// Rises when everything is abandoned: later results are of no use.
  private(set) var epoch: UInt64 = 0
  private var exchanges: [UInt64: BoundedExchange] = [:]
  private var lastExchange: UInt64 = 0
  private var watch: FleetWatch?
  private var timer: LoopTimer?
  private var isStopped = false
  private var told: SynchronizationFault?
  private var wasWatching = false

  init(_ settings: SynchronizationSettings, _ environment: any SynchronizationEnvironment) {
    self.settings = settings
    self.environment = environment
    machine = SynchronizationStateMachine(
      endpoints: settings.endpoints.count, hasUser: settings.user != nil, random: .random(in: 0...1))
  }

  var clocks: CredentialRecord.Clocks {
    CredentialRecord.Clocks(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
  }

  var endpoint: RequestURL { settings.endpoints[machine.endpoint] }

  func stop() {
    isStopped = true
    abandon()
    timer?.cancel()
  }

  /// As `status` shows it.
  func description(for uid: UInt32) -> Sent.SynchronizationStatus {
    Sent.SynchronizationStatus(
      state: machine.state.rawValue, endpoint: endpoint.origin.description,
      revision: machine.revision(of: uid).map { Int($0) },
      pending: environment.vaults.account(of: uid).credentials.fleet.pendingCount,
      lastError: machine.lastFault?.rawValue)
  }

  // MARK: Accounts

  /// Something of an account has changed: whether its vault is open, or what is in it.
  func note(_ uid: UInt32) {
    guard !isStopped else { return }
    let account = environment.vaults.account(of: uid)
    let hasPending = account.credentials.fleet.hasPending
    switch (account.isSynchronizable, known.contains(uid)) {
    case (true, false):
      known.insert(uid)
      perform(machine.opened(uid, hasPending: hasPending))
    case (true, true):
      perform(
        machine.changed(
          uid, hasPending: hasPending, needsReading: account.credentials.fleet.needsReading))
    case (false, true):
      known.remove(uid)
      (readings[uid], places[uid]) = (nil, nil)
      perform(machine.closed(uid))
    case (false, false): break
    }
  }

  // MARK: Effects

  func perform(_ effects: [SynchronizationStateMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .abandon: abandon()
      case .wait(let seconds):
        timer?.cancel()
        timer = EventLoop.shared.schedule(after: seconds) { [weak self] in
          guard let self, !isStopped else { return }
          perform(machine.waited(random: .random(in: 0...1)))
        }
      case .release(let uid):
        environment.vaults.account(of: uid).credentials.releaseHeld()
        note(uid)
      case .authenticate: prepared { $0.authenticate($1) }
      case .read(let uid, let isFirst, let records):
        prepared { sender, _ in sender.read(uid, isFirst: isFirst, records: records) }
      case .finishReading(let uid): finishReading(uid)
      case .watch(let revisions): prepared { sender, _ in sender.watch(revisions) }
      case .write(let uid, let attempt): prepared { sender, _ in sender.write(uid, attempt) }
      case .probe(let uid, let revision): prepared { sender, _ in sender.probe(uid, from: revision) }
      }
    }
    report()
  }

  func feed(_ event: (inout SynchronizationStateMachine) -> [SynchronizationStateMachine.Effect]) {
    perform(event(&machine))
  }

  func fail(_ fault: SynchronizationFault) {
    environment.counters.synchronizationFaults += 1
    feed { $0.failed(fault, random: .random(in: 0...1)) }
  }

  func note(_ fault: SynchronizationFault) {
    machine.note(fault)
    report()
  }

  func noteForeign(_ count: Int) {
    guard count > 0 else { return }
    environment.counters.synchronizationForeign += count
    environment.synchronizationChanged(.foreign(count))
  }

  private func report() {
    let isWatching = machine.state == .watching
    defer { (told, wasWatching) = (machine.lastFault, isWatching) }
    if isWatching, !wasWatching {
      environment.synchronizationChanged(.watching(endpoint.origin.description))
    } else if let fault = machine.lastFault, fault != told {
      environment.synchronizationChanged(.fault(fault, endpoint.origin.description))
    } else {
      environment.synchronizationChanged(nil)
    }
  }

  private func abandon() {
    epoch += 1
    for exchange in exchanges.values { exchange.cancel() }
    watch?.cancel()
    engine?.shutDown()
    (exchanges, watch, engine, material, token) = ([:], nil, nil, nil, nil)
    (places, readings) = ([:], [:])
  }

  // MARK: The connection

  /// Reads the files of the configuration first, unless that has been done for this connection.
  private func prepared(_ body: @escaping @ReactorActor (Synchronizer, FleetMaterial) -> Void) {
    if let material { return body(self, material) }
    FleetReader.pool.submit(
      { [settings, wallClock = Clock.wallSeconds()] in
        Result { () throws(SynchronizationFault) in try FleetMaterial(settings, wallClock: wallClock) }
      },
      then: { [weak self, epoch] result in
        guard let self, !isStopped, self.epoch == epoch else { return }
        switch result {
        case .success(let read):
          guard engine != nil || makeEngine(read) else { return fail(.fileUnusable) }
          material = material ?? read
          body(self, material ?? read)
        case .failure(let fault): fail(fault)
        }
      })
  }

  private func makeEngine(_ material: FleetMaterial) -> Bool {
    engine = makeEngine(trusting: material.roots)
    return engine != nil
  }

  /// Nil, and a fault, for a key file that cannot be used.
  func place(of uid: UInt32) -> FleetReader.Place? {
    if let place = places[uid] { return place }
    guard let key = material?.key, let place = FleetReader.Place(key, uid: uid, under: settings.prefix) else {
      fail(.fileUnusable)
      return nil
    }
    places[uid] = place
    return place
  }

  /// Sends a request and reads its reply, and drops it when everything was abandoned meanwhile.
  ///
  /// - Parameters:
  ///   - place: of another endpoint than the one in use.
  ///   - read: runs outside of the loop.
  func send<Read: Sendable>(
    _ request: EtcdRequest, to place: Int? = nil, within seconds: Double? = nil,
    read: @escaping @Sendable (EtcdReply) -> Read,
    then: @escaping @ReactorActor (Result<Read, EtcdFailure>) -> Void
  ) {
    guard let engine else { return fail(.unreachable) }
    lastExchange += 1
    let number = lastExchange
    let exchange = BoundedExchange(
      seconds: seconds ?? BoundedExchange.etcdReadSeconds, maximumBytes: EtcdReply.maximumBytes
    ) { [weak self, epoch] result in
      guard let self else { return }
      exchanges[number] = nil
      switch result {
      case .failure(let failure): then(.failure(EtcdFailure(failure)))
      case .success(let answer):
        FleetReader.pool.submit(
          {
            Result { () throws(EtcdReply.Refusal) in
              try answer.body.withBytes { body throws(EtcdReply.Refusal) in
                read(try EtcdReply(status: answer.head.status, body))
              }
            }
          },
          then: { [weak self] result in
            guard let self, !isStopped, self.epoch == epoch else { return }
            then(result.mapError { .refusal($0) })
          })
      }
    }
    exchanges[number] = exchange
    exchange.start(request, to: settings.endpoints[place ?? machine.endpoint], token: token, over: engine)
  }

  /// Ends the stream that there is and begins another one.
  func watch(_ revisions: [UInt32: Int64]) {
    watch?.cancel()
    let watched = revisions.sorted(on: \.key).compactMap { uid, revision in
      place(of: uid).map { FleetWatch.Account(uid: uid, place: $0, from: revision) }
    }
    guard let engine, watched.count == revisions.count else { return }
    let watch = FleetWatch(watched, self)
    self.watch = watch
    watch.start(to: endpoint, token: token, over: engine)
  }

  /// Whether a result of this stream is still of use.
  func isCurrent(_ watch: FleetWatch) -> Bool { self.watch === watch && !isStopped }
}

/// Why a request has no result.
enum EtcdFailure: Error {
  case refusal(EtcdReply.Refusal)
  case tooLarge
}

extension Synchronizer: EndpointJudge {
  var endpoints: any EndpointEnvironment { environment }
  var identity: ClientIdentity? { material?.identity }
}
