internal import Glibc
internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What a session can do with tickets.
extension Session {
  /// Whether it is the account that the daemon runs as, whose tickets are for its own sessions only (methods.md 14.9).
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
