package import WatchwordCore
package import WatchwordJSON
package import WatchwordTransport
package import WatchwordVocabulary

/// The options that the daemon was started with.
package struct DaemonOptions: Sendable {
  package var socketPath: String
  /// Nil when neither the command line nor the environment names a place.
  package var configuration: ConfigurationPlace?
  /// As the file has them; nil: there is no file.
  package var configurationMembers: JSONObject?
  /// Where permanent state is kept; nil when no place is known.
  package var statePlace: StatePlace?
  package var idleExitSeconds: Double?
  /// Whether every uid of the host may connect, each to its own sessions.
  package var isHostWide = false
  package var policy = TrustPolicy()
  /// Caches and keytabs that credentials may name.
  package var kerberosFiles = KerberosFiles()
  package var idleLockSeconds: Double?
  package var locksOnSuspend = false
  package var sources: [String: NamedSource] = [:]
  /// The name of the credential of systemd that opens vaults; nil: none does.
  package var vaultCredential: String?
  /// Whether a desktop session may keep the key of the daemon's own vault.
  package var usesSecretService = true
  /// The program that asks the Secret Service; nil when it is not installed.
  package var secretServiceProgram: String?
  /// The store of the fleet; nil: no host shares credentials with this one.
  package var synchronization: SynchronizationSettings?
  /// Read once, at start.
  package var proxies = ProxyEnvironment { _ in nil }
  /// Absolute paths of the PKCS#11 modules that may hold keys.
  package var tokenModules: [String] = []
  /// The program that loads them; nil when it is not installed.
  package var tokenProgram: String?

  /// Where the histories of all accounts are added; nil: nowhere.
  package var historyPath: String?
  /// The socket of the journal to which they are added; nil: to none.
  package var historyJournal: String?

  package var restrictedSockets: [RestrictedSocket] = []

  package init(socketPath: String) { self.socketPath = socketPath }

  package static let version = "1.0.0"
}

/// A socket of the administrator's, whose connections may fetch in one session what the rules allow.
package struct RestrictedSocket: Sendable, Equatable {
  /// Absolute; in a directory as that of the daemon's own socket.
  let path: String
  /// The name of a session of the daemon's uid.
  let session: String
  let rules: [RestrictionRule]
}

/// `synchronization` of the daemon's configuration file (administrator.md 15.4): the store of the fleet.
package struct SynchronizationSettings: Sendable, Equatable {
  package let endpoints: [RequestURL]
  /// What the names of all records of the fleet begin with.
  package let prefix: String
  package let keyFile: String
  /// Nil: without authentication, or by the client certificate alone.
  package let user: User?
  /// PEM certificates; nil: the system's roots alone.
  package let roots: String?
  package let identity: Identity?

  package struct User: Sendable, Equatable {
    let name: String
    let passwordFile: String
  }

  package struct Identity: Sendable, Equatable {
    let certificate: String
    let privateKey: String
  }
}
