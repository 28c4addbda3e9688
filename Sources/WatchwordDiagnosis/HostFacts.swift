/// What was looked at on this host; nil and empty where it could not be.
package struct HostFacts: Sendable, Equatable {
  /// A file without its contents.
  package struct File: Sendable, Equatable {
    package let uid: UInt32
    /// Permission bits.
    package let mode: UInt32
    package let isSocket: Bool

    package init(uid: UInt32, mode: UInt32, isSocket: Bool) {
      self.uid = uid
      self.mode = mode
      self.isSocket = isSocket
    }
  }

  /// How a connection to the socket went.
  package enum Reach: Sendable, Equatable {
    case answered
    case nobodyListens
    /// Another uid's process, which would see every secret.
    case foreign(uid: UInt32)
    case failed(reason: String)
  }

  /// What a daemon that answers says about itself.
  package struct Daemon: Sendable, Equatable {
    package var version = ""
    package var isLocked = false
    package var vaultState = "none"
    package var vaultReason: String?
    package var unreadableRecords = 0
    package var pendingChallenges = 0
    /// Names of sources and their last errors.
    package var failingSources: [(name: String, error: String)] = []
    package var suspendLock = "off"

    package init() {}

    package static func == (one: Daemon, other: Daemon) -> Bool {
      one.version == other.version && one.isLocked == other.isLocked && one.vaultState == other.vaultState
        && one.vaultReason == other.vaultReason && one.unreadableRecords == other.unreadableRecords
        && one.pendingChallenges == other.pendingChallenges && one.suspendLock == other.suspendLock
        && one.failingSources.elementsEqual(other.failingSources, by: ==)
    }
  }

  /// A variable of the environment.
  package struct Variable: Sendable, Equatable {
    package let name: String
    package let value: String
    /// Whether the file or folder that it names is there; nil where it names none.
    package let exists: Bool?

    package init(_ name: String, _ value: String, exists: Bool? = nil) {
      self.name = name
      self.value = value
      self.exists = exists
    }
  }

  /// The configuration file that the daemon was started with, else that of this account.
  package struct Configuration: Sendable, Equatable {
    package let path: String
    /// The first thing that is wrong in it.
    package let fault: String?
    /// What it turns off or demands.
    package let rules: [String]

    package init(path: String, fault: String? = nil, rules: [String] = []) {
      self.path = path
      self.fault = fault
      self.rules = rules
    }
  }

  /// A library that the daemon uses, as the system's packages name its version.
  package struct Library: Sendable, Equatable {
    package let name: String
    package let version: String

    package init(_ name: String, _ version: String) {
      self.name = name
      self.version = version
    }
  }

  package var ownUID: UInt32 = 0
  package var ownVersion = ""
  package var socketPath: String?
  /// `--socket` or `WATCHWORD_SOCKET`; nil for the default path.
  package var socketIsNamedBy: String?
  /// Whether it is the default path, where a command starts a daemon.
  package var isDefaultPath = true
  package var mayStart = true
  /// Whether `watchwordd` is beside the command or in `PATH`.
  package var hasProgram = true
  package var folder: File?
  package var socket: File?
  /// The file of the daemon's vault.
  package var vaultPath: String?
  package var vault: File?
  package var reach = Reach.nobodyListens
  package var daemon: Daemon?
  /// Seconds since 1970: now, and when this program was installed.
  package var now = 0
  package var installed: Int?
  /// How many of the places of certificate authorities are there.
  package var rootPlaces = 0
  /// `SSL_CERT_FILE` and `SSL_CERT_DIR`.
  package var rootVariables: [Variable] = []
  package var proxyVariables: [Variable] = []
  /// Whether there is a file of Kerberos' realms.
  package var hasKerberosConfiguration = false
  /// `KRB5CCNAME`, or the default cache.
  package var ticketCache: Variable?
  package var configuration: Configuration?
  /// libcurl and OpenSSL; none where the packages cannot be looked at.
  package var libraries: [Library] = []

  package init() {}
}
