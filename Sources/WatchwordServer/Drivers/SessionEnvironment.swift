internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What a session needs of the daemon around it.
@ReactorActor
protocol SessionEnvironment: AnyObject {
  var counters: Counters { get }
  var budget: MemoryBudget { get }
  /// The newest task of the daemon.
  var lastTask: TaskIdentifier { get }

  func began(_ task: TaskDriver)
  /// Its caller has the outcome, and its session has it no more.
  func ended(_ task: TaskDriver, _ outcome: TaskOutcome)
  /// Nil when the connection is gone.
  func process(of peer: PeerIdentifier) -> ProcessIdentifier?
  func notify(_ peer: PeerIdentifier, of challenge: PendingChallenge, in session: SessionDriver)
  func notify(_ peers: [PeerIdentifier], _ notification: Notification)
  var vaults: VaultStore { get }
  /// The certificate authorities of the account.
  func userRoots(of uid: UInt32) -> UserRoots
  /// What has changed for all sessions of the account.
  func changes(of uid: UInt32) -> AccountChanges
  /// Whether hosts of a fleet share credentials with this one.
  var isSynchronized: Bool { get }
  /// Whether the agent of the account is locked.
  func isLocked(_ uid: UInt32) -> Bool
  /// Of the daemon's own environment; nil when it names none.
  var proxies: ProxyRules? { get }
  /// The administrator's rules for TLS.
  var policy: TrustPolicy { get }
  /// Caches and keytabs by the administrator's names.
  var kerberosFiles: KerberosFiles { get }
  /// Adds to the history of the account.
  func record(_ entry: HistoryEntry, of uid: UInt32)
  /// The administrator's sources of credentials.
  var sources: SourceRegistry { get }
  func warn(of fault: SourceFault, ofSource name: String, for origin: Origin, in session: SessionDriver)
  func warn(ofPinFrom origin: Origin, in session: SessionDriver)
  /// The task has made exchanges without progress.
  func warn(ofExchangesOf task: TaskDriver, in session: SessionDriver)
  func warn(of weaker: WeakerOffer, met task: TaskDriver, in session: SessionDriver)
  /// Its name is free again, and its tasks are being stopped.
  func sessionIsEnding(_ session: SessionDriver, holders: [PeerIdentifier])
  func sessionEnded(
    _ session: SessionDriver, _ reason: SessionEnd, holders: [PeerIdentifier])
  /// Sessions may have become empty in steps: a daemon that was started on demand ends when all are.
  func restIfUnused()
}
