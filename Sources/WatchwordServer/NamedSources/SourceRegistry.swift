internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What the sources need of the daemon around them.
@ReactorActor
protocol SourceEnvironment: AnyObject {
  var counters: Counters { get }
  /// The administrator's rules for TLS.
  var policy: TrustPolicy { get }
  /// Of the daemon's own environment; nil when it names none.
  var proxies: ProxyRules? { get }
  func sourcesChanged()
}

/// The administrator's sources of credentials by name, and what has become of each.
@ReactorActor
final class SourceRegistry {
  private struct Entry {
    let source: NamedSource
    var account: TokenAccount?
    /// Of the last reading; nil when it gave something, or there was none.
    var lastFault: SourceFault?
  }

  private var entries: [String: Entry]
  /// The daemon, which lives as long as the process.
  unowned let environment: any SourceEnvironment

  init(_ sources: [String: NamedSource], _ environment: any SourceEnvironment) {
    entries = sources.mapValues { Entry(source: $0) }
    self.environment = environment
  }

  /// The configuration has been read again: tokens of sources that are as they were stay.
  func replace(with sources: [String: NamedSource]) {
    let old = entries
    entries = sources.mapValues { Entry(source: $0) }
    for (name, entry) in old {
      if entries[name]?.source == entry.source {
        entries[name] = entry
      } else {
        entry.account?.end()
      }
    }
  }

  func forget() {
    for entry in entries.values { entry.account?.forget() }
  }

  /// Why a source cannot be named for an origin; nil when it can.
  func fault(naming name: String, for origin: Origin) -> CredentialFault? {
    guard let entry = entries[name] else { return .unknownName }
    return entry.source.serves(origin) ? nil : .otherOrigin
  }

  /// - Parameter then: called in a later turn of the loop, or at once.
  func read(
    _ request: SourceRequest, then: @escaping @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void
  ) {
    let name = request.name
    guard let entry = entries[name], entry.source.serves(request.space.origin) else {
      return then(.failure(.withdrawn))
    }
    environment.counters.sourcesRead += 1
    let end: @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void = { [weak self] result in
      if let self { note(result, of: name) }
      then(result)
    }
    guard case .oauth(let source) = entry.source.kind else {
      return SourceReader.read(entry.source, request, then: end)
    }
    guard request.space.authenticationMethod == .bearer else { return end(.failure(.unfit)) }
    let account = entry.account ?? TokenAccount(source, environment)
    entries[name]?.account = account
    account.read(request.want, then: end)
  }

  private func note(_ result: Result<SourceAnswer, SourceFault>, of name: String) {
    switch result {
    case .success: entries[name]?.lastFault = nil
    case .failure(let fault):
      environment.counters.sourcesFailed += 1
      entries[name]?.lastFault = fault
    }
    environment.sourcesChanged()
  }

  /// What `status` shows of them.
  func descriptions(now: Double, wallClock: Double) -> [SourceDescription] {
    entries.sorted { $0.key < $1.key }.map { name, entry in
      let machine = entry.account?.machine
      return SourceDescription(
        name: name, kind: entry.source.kind.name, hasToken: machine?.hasToken(now: now),
        validUntil: machine?.secondsLeft(now: now).map { wallClock + $0 },
        lastError: machine?.lastFault ?? entry.lastFault)
    }
  }
}
