internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// When a session was used last, what it keeps, and its end when nobody uses it any more (messages.md 4.20).
extension SessionDriver {
  func noteUse() {
    idleTimer?.cancel()
    idleTimer = nil
    lastUse = EventLoop.shared.now
  }

  /// 0 while a task runs.
  var unusedSeconds: Double { tasks.isEmpty ? max(0, EventLoop.shared.now - lastUse) : 0 }

  /// Whether it has no holder and no work, and was not used for so many seconds (messages.md 4.20).
  func isUnused(for seconds: Double) -> Bool {
    !isOver && tasks.isEmpty && !state.hasHolders && state.board.pendingCount == 0
      && state.restrictions.isEmpty && unusedSeconds >= seconds
  }

  /// Whether it keeps nothing that a later caller would miss.
  var holdsNothing: Bool {
    (isNamedAfterSettings || configuration == SessionConfiguration()) && state.holdsNothing && tasks.isEmpty
      && engine.cookies.isEmpty
  }

  /// Limits are checked on listing as well as on use.
  func forgetWhatIsOver() {
    feed { $0.forgetExpiredCredentials() }
    feed { $0.forgetExpiredIdentities() }
    feed { $0.forgetExpiredTrust() }
  }

  func restIfUnused() {
    guard !isOver, tasks.isEmpty, !state.hasHolders else { return }
    guard isNamed else { return invalidate(.finished) }
    if isNamedAfterSettings, holdsNothing { return invalidate(.idle) }
    // What ends with a connection may come here more than once.
    idleTimer?.cancel()
    idleTimer = EventLoop.shared.schedule(after: configuration.idleSeconds) { self.invalidate(.idle) }
  }
}

/// What a session can do with tickets.
extension SessionDriver {
  /// Whether it is the account that the daemon runs as, whose tickets are for its own sessions only
  /// (methods.md 14.9).
  static func isOfDaemon(_ uid: UInt32) -> Bool { uid == geteuid() }

  /// Why a credential cannot be used in this session, whatever asks for it; nil when it can.
  func fault(of credential: Credential) -> CredentialFault? {
    guard case .kerberos(let source) = credential.kind else { return nil }
    switch source {
    case .defaultCache: return Self.isOfDaemon(uid) ? nil : .otherAccount
    case .namedCache(let name): return environment.kerberosFiles.caches[name] == nil ? .unknownName : nil
    case .namedKeytab(let name): return environment.kerberosFiles.keytabs[name] == nil ? .unknownName : nil
    case .cache, .keytab: return nil
    }
  }
}

extension Negotiator {
  /// Methods whose library is not installed: their challenges are no offers.
  static let unavailableMethods = Set([AuthenticationMethod.negotiate, .ntlm].filter { !supports($0) })
}
