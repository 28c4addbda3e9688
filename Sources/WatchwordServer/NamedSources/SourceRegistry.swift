internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What the sources need of the daemon around them.
@ReactorActor
protocol SourceEnvironment: EndpointEnvironment {
  var counters: Counters { get }
  /// Of the daemon's own environment; nil when it names none.
  var proxies: ProxyRules? { get }
  func sourcesChanged()
}

/// The administrator's sources of credentials by name, and what has become of each.
@ReactorActor
final class SourceRegistry {
  private struct RegisteredSource {
    let source: NamedSource
    /// Of its files and programs; an account of tokens has its own.
    let lane: SourceLane
    var account: TokenAccount?
    /// What it is told, or waits to be told.
    var reports: [SourceReport] = []
    /// Of the last reading; nil when it gave something, or there was none.
    var lastFault: SourceFault?
  }

  private var entries: [String: RegisteredSource]
  /// Those that are not configured any more and write their last refresh tokens.
  private var ending: [TokenAccount] = []
  /// Readings that run or wait.
  private var readings = 0
  /// The daemon, which lives as long as the process.
  unowned let environment: any SourceEnvironment

  init(_ sources: [String: NamedSource], _ environment: any SourceEnvironment) {
    entries = Self.entries(sources)
    self.environment = environment
  }

  private static func entries(_ sources: [String: NamedSource]) -> [String: RegisteredSource] {
    sources.mapValues { RegisteredSource(source: $0, lane: SourceReader.makeLane(for: $0)) }
  }

  /// The configuration has been read again: tokens of sources that are as they were stay.
  func replace(with sources: [String: NamedSource]) {
    var new = Self.entries(sources)
    var gone: [TokenAccount] = []
    for (name, entry) in entries {
      if new[name]?.source == entry.source {
        new[name] = entry
      } else if let account = entry.account {
        gone.append(account)
      }
    }
    entries = new
    // Those that wait hear of it, and may read the new sources at once.
    ending += gone
    for account in gone {
      account.end()
      account.whenEnded { [weak self, weak account] in self?.ending.removeAll { $0 === account } }
    }
  }

  func forget() {
    for entry in entries.values { entry.account?.forget() }
  }

  /// The daemon stops: requests that may bring a new refresh token are finished first.
  func end() async {
    replace(with: [:])
    while let account = ending.first(where: { !$0.hasEnded }) {
      await completion { account.whenEnded($0) }
    }
  }

  var isEnding: Bool { !ending.isEmpty }

  /// Why a source cannot be named for an origin; nil when it can.
  func fault(naming name: String, for origin: Origin) -> CredentialFault? {
    guard let entry = entries[name] else { return .unknownName }
    return entry.source.serves(origin) ? nil : .otherOrigin
  }

  /// - Parameters:
  ///   - prompts: called when a person must enter a code, and with each code that takes its place.
  ///   - then: called in a later turn of the loop, or at once; not after the ticket was abandoned.
  /// - Returns: nil when it cannot be abandoned: it ends within its time.
  @discardableResult
  func read(
    _ request: SourceRequest, prompts: @escaping TokenAccount.Prompts = { _ in },
    then: @escaping TokenAccount.Completion
  ) -> SourceTicket? {
    let name = request.name
    guard let entry = entries[name], entry.source.serves(request.space.origin) else {
      then(.failure(.withdrawn))
      return nil
    }
    environment.counters.sourcesRead += 1
    guard readings < Limits.sourceReadings else {
      note(.failure(.overloaded), of: name)
      then(.failure(.overloaded))
      return nil
    }
    readings += 1
    let end: TokenAccount.Completion = { [weak self] result in
      if let self {
        readings -= 1
        note(result, of: name)
      }
      then(result)
    }
    guard case .oauth(let source) = entry.source.kind else {
      SourceReader.read(entry.source, request, in: entry.lane, then: end)
      return nil
    }
    guard request.space.authenticationMethod == .bearer else {
      end(.failure(.unfit))
      return nil
    }
    let account = entry.account ?? account(of: source)
    entries[name]?.account = account
    let ticket = account.read(request.want, prompts: prompts, then: end)
    return SourceTicket { [weak self] in
      guard ticket.abandon() else { return false }
      self?.readings -= 1
      return true
    }
  }

  /// Tells a helper what a server made of what it gave, after what it does now and before it is read again.
  ///
  /// - Parameter fails: called when it cannot be told.
  func tell(_ report: SourceReport, fails: @escaping @ReactorActor (SourceFault) -> Void) {
    let name = report.source
    guard let entry = entries[name], entry.source.serves(report.origin), !entry.reports.contains(report),
      case .gitHelper(let helper) = entry.source.kind, helper.isTold
    else { return }
    guard readings < Limits.sourceReadings else { return fails(.overloaded) }
    readings += 1
    entries[name]?.reports.append(report)
    SourceReader.tell(helper, report, in: entry.lane) { [weak self] result in
      self?.readings -= 1
      self?.entries[name]?.reports.removeAll { $0 == report }
      if case .failure(let fault) = result { fails(fault) }
    }
  }

  private func account(of source: OAuthSource) -> TokenAccount {
    let predecessor = ending.last {
      $0.refreshTokenFile != nil && $0.refreshTokenFile == source.refreshTokenFile
    }
    // Of one file, one token is written after the other.
    let sharer = entries.values.lazy.compactMap(\.account).first {
      $0.refreshTokenFile != nil && $0.refreshTokenFile == source.refreshTokenFile
    }
    return TokenAccount(source, after: predecessor, in: sharer?.lane ?? SourceLane(width: 1), environment)
  }

  private func note(_ result: Result<SourceAnswer, SourceFault>, of name: String) {
    switch result {
    case .success: entries[name]?.lastFault = nil
    // What a source of this name said before, and what needs a person, are no faults of this one.
    case .failure(.withdrawn), .failure(.promptNeeded): break
    case .failure(let fault):
      environment.counters.sourcesFailed += 1
      entries[name]?.lastFault = fault
    }
    environment.sourcesChanged()
  }

  /// What `status` shows of them.
  func descriptions(now: Double, wallClock: Double) -> [Sent.SourceStatus] {
    entries.sorted(on: \.key).map { name, entry in
      let machine = entry.account?.machine
      return Sent.SourceStatus(
        source: name, kind: entry.source.kind.name, token: machine?.hasToken(now: now),
        awaitsPerson: entry.source.needsPerson ? machine?.isPrompting ?? false : nil,
        validUntil: machine?.secondsLeft(now: now).map { Timestamp.text(wallClock + $0) },
        lastError: (machine?.lastFault ?? entry.lastFault)?.rawValue)
    }
  }
}
