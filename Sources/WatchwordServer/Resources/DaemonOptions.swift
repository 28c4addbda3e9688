internal import Glibc
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

/// The proxies that the daemon's own environment names, read once, with curl's names and meanings.
package struct ProxyEnvironment: Sendable {
  /// Nil: it names none.
  package let rules: ProxyRules?
  /// The variables that are no proxy's URL or hold an exception that is malformed; never their values.
  package let malformed: [String]

  package static var ofProcess: ProxyEnvironment {
    ProxyEnvironment { name in
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return Secret(copying: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }

  /// - Parameter read: the value of a variable; nil when it is absent or empty.
  package init(_ read: (String) -> Secret?) {
    var malformed: [String] = []
    func entry(_ names: [String]) -> ProxyRules.Setting? {
      for name in names {
        guard let value = read(name) else { continue }
        let proxy = try? ProxyURL.parse(value, requiresScheme: false)
        if proxy == nil { malformed.append(name) }
        return ProxyRules.Setting(name: name, proxy: proxy)
      }
      return nil
    }
    var rules = ProxyRules(.environment)
    // A CGI program's `HTTP_PROXY` is a field of the request that it serves (CVE-2016-5385).
    rules.http = entry(["http_proxy"])
    rules.https = entry(["https_proxy", "HTTPS_PROXY"])
    rules.all = entry(["all_proxy", "ALL_PROXY"])
    for name in ["no_proxy", "NO_PROXY"] {
      guard let value = read(name) else { continue }
      let text = value.withBytes { String(decoding: $0, as: UTF8.self) }
      for part in text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
        if let exception = ProxyException(String(part)) {
          rules.exceptions.append(exception)
        } else if malformed.last != name {
          malformed.append(name)
        }
      }
      break
    }
    self.rules = rules.isEmpty ? nil : rules
    self.malformed = malformed
  }
}
