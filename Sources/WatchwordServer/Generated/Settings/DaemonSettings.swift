package import Logging
package import WatchwordCore
package import WatchwordProtocol
package import WatchwordTransport
package import WatchwordVocabulary

// Made from `protocol/configuration.json` by `protocol/generate`.

/// The configuration file.
package struct DaemonSettings: Sendable {
  package enum Access: String, CaseIterable, Sendable {
    case user
    case host
  }

  /// When agents lock by themselves.
  package struct Agent: Sendable, Equatable {
    /// An agent that is not used for so long locks itself, or forgets (storage.md 9.11.13).
    package var idleLockSeconds: Double?
    /// Agents lock, or forget, before the machine sleeps (storage.md 9.11.14).
    package var lockOnSuspend = false

    /// What counts where nothing is said.
    package init() {}

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      idleLockSeconds = try reader["idleLockSeconds"]?.number(in: 0.1...315_360_000)
      lockOnSuspend = try reader["lockOnSuspend"]?.bool() ?? lockOnSuspend
    }
  }

  /// A socket whose connections are restricted.
  package struct RestrictedSocket: Sendable {
    /// Of the socket, each once.
    package let path: String
    /// Of its connections.
    package let session: String
    /// What its connections may fetch.
    package let rules: [RestrictionRuleMembers]

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      path = try reader.required("path").socketPath(maximumBytes: 107)
      session = try reader["session"]?.sessionName(maximumBytes: 128) ?? "default"
      rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
        try element.object(RestrictionRuleMembers.init)
      }
    }
  }

  /// What a credential may name (methods.md 14.2), in sessions of every uid that may connect.
  package struct Kerberos: Sendable {
    /// Credential caches by name, which is not `default`.
    package var caches: [String: String] = [:]
    /// Keytabs by name.
    package var keytabs: [String: KeytabMembers] = [:]

    /// What counts where nothing is said.
    package init() {}

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      caches = try reader["caches"]?.kerberosCaches(maximum: 256) ?? caches
      keytabs =
        try reader["keytabs"]?.map(maximum: 256) { element throws(RPCError) in
          try element.object(KeytabMembers.init)
        } ?? keytabs
    }
  }

  /// How vaults open without a person.
  package struct Vault: Sendable, Equatable {
    /// What opens vaults (administrator.md 7.2.20).
    package var systemdCredential: String?
    /// Whether the Secret Service of a desktop session may open the vault (administrator.md 7.2.23).
    package var secretService = true

    /// What counts where nothing is said.
    package init() {}

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      systemdCredential = try reader["systemdCredential"]?.systemdCredential(maximumBytes: 255)
      secretService = try reader["secretService"]?.bool() ?? secretService
    }
  }

  /// The least severe lines that are logged; `--log-level` takes precedence at the start.
  package var logLevel: Logger.Level?
  /// `user`: only the daemon's own uid and root may connect; `host`: every uid, each with its own
  /// sessions.
  package var access: Access = .user
  /// When agents lock by themselves.
  package var agent = Agent()
  /// Where the histories of all uids (storage.md 7.3.1) are added, one JSON object with `uid` a line,
  /// without repetitions; mode 0600; beyond 16 MiB renamed to `.1`. A file that cannot be written stops
  /// nothing: the log has the reason, the counter `history.unwritten` the number.
  package var historyFile: String?
  /// The socket, `/run/systemd/journal/socket` or that of a journal namespace, to which the histories of
  /// all uids are sent as records of systemd's journal (administrator.md 7.3.4), without repetitions. A
  /// record that the journal does not take at once is dropped: `history.unwritten` has the number, the
  /// log the reason.
  package var historyJournal: String?
  /// Sockets whose connections are restricted (restricted.md 2.6.17).
  package var restrictedSockets: [WatchwordServer.RestrictedSocket] = []
  /// PKCS#11 modules whose keys callers may use (administrator.md 8.2).
  package var pkcs11Modules: [String] = []
  /// What a credential may name (methods.md 14.2), in sessions of every uid that may connect.
  package var kerberos = KerberosFiles()
  /// Sources that a credential may name (storage.md 9.7), in sessions of every uid that may connect.
  package var credentialSources: [String: NamedSource] = [:]
  /// How vaults open without a person.
  package var vault = Vault()
  /// The store through which the hosts of a fleet share credentials.
  package var synchronization: SynchronizationSettings?
  /// What callers can be stricter than, and never looser.
  package var transportSecurity = TrustPolicy()

  /// What counts where nothing is said.
  package init() {}

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    logLevel = try reader["logLevel"]?.enumeration(Logger.Level.self)
    access = try reader["access"]?.enumeration(Access.self) ?? access
    agent = try reader["agent"]?.object(Agent.init) ?? agent
    historyFile = try reader["historyFile"]?.filePath(maximumBytes: 4096)
    historyJournal = try reader["historyJournal"]?.journalPath(maximumBytes: 107)
    restrictedSockets =
      try reader["restrictedSockets"]?.array(maximum: 64) { element throws(RPCError) in
        try element.restrictedSocket()
      } ?? restrictedSockets
    pkcs11Modules = try reader["pkcs11Modules"]?.modulePaths(maximum: 16) ?? pkcs11Modules
    kerberos = try reader["kerberos"]?.kerberosFiles() ?? kerberos
    credentialSources =
      try reader["credentialSources"]?.map(maximum: 256, nameBytes: 1...128) { element throws(RPCError) in
        try element.namedSource()
      } ?? credentialSources
    vault = try reader["vault"]?.object(Vault.init) ?? vault
    synchronization = try reader["synchronization"]?.synchronizationSettings()
    transportSecurity = try reader["transportSecurity"]?.trustPolicy() ?? transportSecurity
    try checkSockets()
  }
}

/// The members of `FileSource`.
package struct FileSourceMembers: Sendable {
  package let path: String
  /// Of the password; left out: a token.
  package let user: String?
  /// The only origins that it serves, each `scheme://host` or `scheme://host:port`; left out or empty:
  /// every origin.
  package let origins: Set<Origin>?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    path = try reader.required("path").filePath(maximumBytes: 4096)
    user = try reader["user"]?.string(maximumBytes: 4096)
    origins = try reader["origins"]?.origins(maximum: 1024)
  }
}

/// The members of `GitHelperSource`.
package struct GitHelperSourceMembers: Sendable {
  /// An absolute path and arguments.
  package let command: [String]
  /// Tell it by `store` and `erase` what servers accept and refuse, as git does (storage.md 9.7.11).
  package let report: Bool
  /// The only origins that it serves, each `scheme://host` or `scheme://host:port`; left out or empty:
  /// every origin.
  package let origins: Set<Origin>?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    command = try reader.required("command").helperCommand(maximum: 64, minimum: 1)
    report = try reader["report"]?.bool() ?? false
    origins = try reader["origins"]?.origins(maximum: 1024)
  }
}

/// The members of `Keytab`.
package struct KeytabMembers: Sendable {
  /// Of the keytab.
  package let path: String
  /// That logs in.
  package let principal: String

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    path = try reader.required("path").filePath(maximumBytes: 4096)
    principal = try reader.required("principal").string(maximumBytes: 1024)
  }
}

/// The members of `OAuthSource`.
package struct OAuthSourceMembers: Sendable {
  /// `https`, or `http` on a loopback address, without userinfo and fragment.
  package let tokenEndpoint: RequestURL
  /// clientCredentials (RFC 6749 §4.4), refreshToken (RFC 6749 §6) or deviceCode (RFC 8628): a person
  /// lets the source have a token (methods.md 9.10.7).
  package let grant: OAuthClient.Grant
  /// As tokenEndpoint; for deviceCode, which requires it.
  package let deviceEndpoint: RequestURL?
  /// Under which the server knows the client (RFC 6749 §2.2).
  package let clientIdentifier: String
  /// As the `path` of a `file`. With it the client authenticates as clientSecretIn says; without it the
  /// client is public, and is named in the request. Required for clientCredentials.
  package let clientSecretFile: String?
  /// `header`: by Basic (RFC 6749 §2.3.1), with both texts encoded as in a form. `body`: as client_secret
  /// in the request, for a server that takes it there only.
  package let clientSecretIn: OAuthClient.SecretPlace
  /// For refreshToken, which requires it, and for deviceCode, which makes the file.
  package let refreshTokenFile: String?
  /// Words of ASCII with one space between them.
  package let scope: String?
  /// Whom the token is for, where the server wants to be told by this name.
  package let audience: String?
  /// Which servers the token is for, as absolute URIs without a fragment (RFC 8707).
  package let resource: [String]?
  /// PEM certificates that the endpoint's may end in, beside the system's; read once.
  package let roots: String?
  /// The only origins that it serves, each `scheme://host` or `scheme://host:port`; left out or empty:
  /// every origin.
  package let origins: Set<Origin>?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    tokenEndpoint = try reader.required("tokenEndpoint").tokenEndpoint(maximumBytes: 4096)
    grant = try reader.required("grant").enumeration(OAuthClient.Grant.self)
    deviceEndpoint = try reader["deviceEndpoint"]?.tokenEndpoint(maximumBytes: 4096)
    clientIdentifier = try reader.required("clientIdentifier").clientIdentifier(maximumBytes: 1024)
    clientSecretFile = try reader["clientSecretFile"]?.filePath(maximumBytes: 4096)
    clientSecretIn = try reader["clientSecretIn"]?.enumeration(OAuthClient.SecretPlace.self) ?? .header
    refreshTokenFile = try reader["refreshTokenFile"]?.filePath(maximumBytes: 4096)
    scope = try reader["scope"]?.scope(maximumBytes: 4096)
    audience = try reader["audience"]?.clientIdentifier(maximumBytes: 4096)
    resource = try reader["resource"]?.resources(maximum: 16)
    roots = try reader["roots"]?.filePath(maximumBytes: 4096)
    origins = try reader["origins"]?.origins(maximum: 1024)
  }
}

/// Where a credential is read when it is used.
package enum SourceMembers: Sendable {
  case file(FileSourceMembers)
  case systemd(SystemdSourceMembers)
  case oauth(OAuthSourceMembers)
  case gitHelper(GitHelperSourceMembers)

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    switch try reader.required("kind").enumeration(NamedSource.Name.self) {
    case .file: self = .file(try FileSourceMembers(&reader))
    case .systemd: self = .systemd(try SystemdSourceMembers(&reader))
    case .oauth: self = .oauth(try OAuthSourceMembers(&reader))
    case .gitHelper: self = .gitHelper(try GitHelperSourceMembers(&reader))
    }
  }
}

/// The members of `Synchronization`.
package struct SynchronizationMembers: Sendable {
  /// URLs without a path: `https`, or `http` on a loopback address. One is used at a time; when it fails,
  /// the next one. A write that it does not answer is tried at the others (administrator.md 15.4.8).
  package let endpoints: [RequestURL]
  /// What the names of the fleet's records begin with: visible characters of ASCII.
  package let prefix: String
  /// The same contents on every host of the fleet: at least 32 random octets, at most 65,536. It belongs
  /// to the daemon's uid or root, with mode 0600.
  package let keyFile: String
  /// A user of etcd; with passwordFile.
  package let user: String?
  /// As keyFile, with the user's password in one line; with `user`.
  package let passwordFile: String?
  /// PEM certificates that the endpoints' may end in, beside the system's.
  package let roots: String?
  /// The client certificate with its chain in PEM; with privateKey.
  package let certificate: String?
  /// Its key in PEM, in a file as keyFile; with `certificate`.
  package let privateKey: String?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    endpoints = try reader.required("endpoints").endpoints(maximum: 16, minimum: 1)
    prefix = try reader.required("prefix").storePrefix(maximumBytes: 256)
    keyFile = try reader.required("keyFile").filePath(maximumBytes: 4096)
    user = try reader["user"]?.string(maximumBytes: 1024)
    passwordFile = try reader["passwordFile"]?.filePath(maximumBytes: 4096)
    roots = try reader["roots"]?.filePath(maximumBytes: 4096)
    certificate = try reader["certificate"]?.filePath(maximumBytes: 4096)
    privateKey = try reader["privateKey"]?.filePath(maximumBytes: 4096)
  }
}

/// The members of `SystemdSource`.
package struct SystemdSourceMembers: Sendable {
  package let name: String
  package let user: String?
  /// The only origins that it serves, each `scheme://host` or `scheme://host:port`; left out or empty:
  /// every origin.
  package let origins: Set<Origin>?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    name = try reader.required("name").systemdCredential(maximumBytes: 255)
    user = try reader["user"]?.string(maximumBytes: 4096)
    origins = try reader["origins"]?.origins(maximum: 1024)
  }
}

extension DaemonSettings {
  /// What is not as at the start, and counts from the next one only.
  func changes(since start: DaemonSettings) -> [String] {
    var changes: [String] = []
    if access != start.access { changes.append("access changes") }
    if historyFile != start.historyFile { changes.append("historyFile changes") }
    if historyJournal != start.historyJournal { changes.append("historyJournal changes") }
    if restrictedSockets != start.restrictedSockets { changes.append("restrictedSockets change") }
    if vault != start.vault { changes.append("vault changes") }
    if synchronization != start.synchronization { changes.append("synchronization changes") }
    return changes
  }
}
