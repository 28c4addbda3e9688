internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// The stream of changes of some accounts. One line is taken over at a time; when others wait, the stream
/// does.
@ReactorActor
final class FleetWatch {
  struct Account {
    let uid: UInt32
    let place: FleetReader.Place
    let from: Int64
  }

  private let accounts: [Account]
  private unowned let synchronizer: Synchronizer
  private var exchange: BoundedExchange?
  private var lines: [Secret] = []
  private var waitingBytes = 0
  private var isBusy = false
  private var isPaused = false
  private var end: SynchronizationFault?
  private var created = 0

  init(_ accounts: [Account], _ synchronizer: Synchronizer) {
    self.accounts = accounts
    self.synchronizer = synchronizer
  }

  func start(to endpoint: RequestURL, token: Secret?, over engine: any ExchangeEngine) {
    let exchange = BoundedExchange(
      seconds: BoundedExchange.etcdReadSeconds, maximumBytes: EtcdReply.maximumBytes
    ) { [weak self] in
      self?.keepLine($0)
    } then: { [weak self] in
      self?.ended($0)
    }
    self.exchange = exchange
    exchange.start(
      .watch(accounts.map { (EtcdRequest.Range(prefix: $0.place.prefix), from: $0.from) }), to: endpoint,
      token: token, over: engine)
  }

  func cancel() {
    exchange?.cancel()
    exchange = nil
    lines = []
  }

  private func keepLine(_ line: Secret) {
    lines.append(line)
    waitingBytes += line.count
    if !isPaused, lines.count >= Synchronizer.maximumLines || waitingBytes >= EtcdReply.maximumBytes {
      isPaused = true
      EventLoop.shared.atEndOfTurn { [weak self] in
        if self?.isPaused == true { self?.exchange?.pause() }
      }
    }
    proceed()
  }

  private func ended(_ result: Result<BoundedExchange.Answer, BoundedExchange.Failure>) {
    exchange = nil
    switch result {
    case .success(let answer):
      let refusal = Result { () throws(EtcdReply.Refusal) in
        try answer.body.withBytes { body throws(EtcdReply.Refusal) in
          _ = try EtcdReply(status: answer.head.status, body)
        }
      }
      end =
        if answer.head.status != 200, case .failure(let refusal) = refusal {
          EtcdFailure.refusal(refusal).fault
        } else {
          .unreachable
        }
    case .failure(let failure): end = EtcdFailure(failure).fault
    }
    proceed()
  }

  private struct Line: Sendable {
    let uid: UInt32
    let line: EtcdWatchLine
    let opened: FleetReader.Opened
  }

  private func proceed() {
    guard !isBusy, synchronizer.isCurrent(self) else { return }
    guard !lines.isEmpty else {
      if let end { synchronizer.fail(end) }
      return
    }
    let text = lines.removeFirst()
    waitingBytes -= text.count
    if isPaused, lines.isEmpty {
      isPaused = false
      exchange?.resume()
    }
    isBusy = true
    let places = accounts.map { ($0.uid, $0.place) }
    let clocks = synchronizer.clocks
    FleetReader.pool.submit(
      { () -> Line? in
        guard let line = text.withBytes({ EtcdWatchLine($0) }), places.indices.contains(line.watch - 1) else {
          return nil
        }
        let (uid, place) = places[line.watch - 1]
        guard case .changes(let records, _) = line.event else {
          return Line(uid: uid, line: line, opened: FleetReader.Opened())
        }
        return Line(uid: uid, line: line, opened: place.open(records, clocks))
      },
      then: { [weak self] line in self?.carryOut(line) })
  }

  private func carryOut(_ line: Line?) {
    guard synchronizer.isCurrent(self) else { return }
    guard let line else { return synchronizer.fail(.malformed) }
    switch line.line.event {
    case .created:
      created += 1
      if created == accounts.count {
        synchronizer.feed { $0.watchBegan(revision: line.line.revision, random: .random(in: 0...1)) }
      }
      goOn()
    case .compacted: synchronizer.feed { $0.lostHistory() }
    case .cancelled: synchronizer.fail(.refused)
    case .changes(_, let revision):
      synchronizer.noteForeign(line.opened.foreign)
      synchronizer.adopt(line.opened.states, of: line.uid) { [weak self] in
        guard let self, synchronizer.isCurrent(self) else { return }
        synchronizer.feed { $0.advanced(line.uid, revision: revision) }
        goOn()
      }
    }
  }

  private func goOn() {
    isBusy = false
    proceed()
  }
}
