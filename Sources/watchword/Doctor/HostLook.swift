internal import CLinux
internal import Glibc
internal import WatchwordDiagnosis
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// Looks at this host for `watchword doctor`, and changes nothing: no daemon is started, nothing is sent to a
/// network.
struct HostLook {
  /// Places of distributions.
  private static let rootPlaces = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
  ]

  private var facts = HostFacts()
  /// The daemon's; nil when it did not answer, or is another version's.
  private var settings: Sent.ServerConfiguration?

  static func facts(_ options: DaemonTarget) -> HostFacts {
    var look = HostLook()
    look.places(options)
    look.environment()
    look.facts.libraries = libraries()
    look.connect()
    look.facts.configuration = ConfigurationLook.facts(ofDaemon: look.settings)
    return look.facts
  }

  private mutating func places(_ options: DaemonTarget) {
    facts.ownUID = geteuid()
    facts.ownVersion = Version.text
    facts.socketPath = SocketPath.resolve(options.socket)
    facts.socketIsNamedBy =
      options.socket != nil
      ? "--socket" : Environment.value(of: "WATCHWORD_SOCKET") != nil ? "WATCHWORD_SOCKET" : nil
    facts.mayStart = Environment.value(of: "WATCHWORD_NO_START") == nil
    facts.hasProgram = DaemonLauncher.findProgram() != nil
    facts.now = time(nil)
    facts.installed = Self.status("/proc/self/exe")?.st_mtim.tv_sec
    guard let path = facts.socketPath else { return }
    facts.isDefaultPath = SocketPath.isStandard(path)
    facts.socket = Self.file(path)
    facts.folder = path.lastIndex(of: "/").flatMap { Self.file(String(path[..<$0])) }
  }

  private mutating func environment() {
    facts.rootPlaces = Self.rootPlaces.count { access($0, R_OK) == 0 }
    facts.rootVariables = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap { name in
      Environment.value(of: name).map { HostFacts.Variable(name, $0, exists: access($0, R_OK) == 0) }
    }
    let proxies = [
      "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
      "NO_PROXY",
    ]
    facts.proxyVariables = proxies.compactMap { name in
      Environment.value(of: name).map { HostFacts.Variable(name, $0) }
    }
    facts.hasKerberosConfiguration =
      access(Environment.value(of: "KRB5_CONFIG") ?? "/etc/krb5.conf", R_OK) == 0
    let cache = Environment.value(of: "KRB5CCNAME") ?? "FILE:/tmp/krb5cc_\(getuid())"
    let path = cache.hasPrefix("FILE:") ? String(cache.dropFirst(5)) : cache
    facts.ticketCache = HostFacts.Variable(
      "KRB5CCNAME", cache, exists: path.hasPrefix("/") ? access(path, R_OK) == 0 : nil)
  }

  private mutating func connect() {
    guard let path = facts.socketPath else { return }
    do throws(ClientError) {
      guard let connection = try DaemonConnection(path: path) else {
        let reason = errno
        facts.reach =
          reason == ENOENT || reason == ECONNREFUSED ? .nobodyListens : .failed(reason: Output.lastError)
        return
      }
      let client = WatchwordClient(connection)
      let snapshot = try client.call(Request.Status())
      facts.reach = .answered
      facts.daemon = Self.daemon(snapshot)
      facts.vaultPath = snapshot.vault.path
      facts.vault = facts.vaultPath.flatMap(Self.file)
      if snapshot.version == Version.text { settings = try? client.call(Request.ServerConfiguration()) }
    } catch {
      if case .foreignDaemon(_, let uid) = error {
        facts.reach = .foreign(uid: uid)
      } else {
        facts.reach = .failed(reason: Failure(error).message ?? "it does not answer")
      }
    }
  }

  private static func daemon(_ snapshot: Sent.StatusSnapshot) -> HostFacts.Daemon {
    var daemon = HostFacts.Daemon()
    daemon.version = snapshot.version
    daemon.isLocked = snapshot.locked
    daemon.vaultState = snapshot.vault.state
    daemon.vaultReason = snapshot.vault.reason
    daemon.unreadableRecords = snapshot.vault.unreadable
    daemon.pendingChallenges = snapshot.sessions.compactMap(\.value).map(\.pendingChallenges).reduce(0, +)
    daemon.failingSources = snapshot.sources.compactMap { source in
      source.lastError.map { (source.source, $0) }
    }
    daemon.suspendLock = snapshot.suspendLock
    return daemon
  }

  // MARK: Libraries

  /// Debian 12 and 13.
  private static let packages = [
    "libcurl4": "libcurl", "libcurl4t64": "libcurl", "libssl3": "OpenSSL", "libssl3t64": "OpenSSL",
  ]

  /// From the list of installed packages, which is Debian's; the daemon's own memory cannot be read.
  private static func libraries() -> [HostFacts.Library] {
    guard let file = fopen("/var/lib/dpkg/status", "re") else { return [] }
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer {
      free(line)
      fclose(file)
    }
    var libraries: [HostFacts.Library] = []
    var library: String?
    while getline(&line, &room, file) > 0, let text = line {
      if strncmp(text, "Package: ", 9) == 0 {
        library = packages[value(text)]
      } else if let name = library, strncmp(text, "Version: ", 9) == 0 {
        libraries.append(HostFacts.Library(name, value(text)))
        library = nil
      }
    }
    return libraries
  }

  /// Behind the nine bytes of the name, without the end of the line.
  private static func value(_ line: UnsafePointer<CChar>) -> String {
    String(String(cString: line).dropFirst(9).prefix { $0 != "\n" })
  }

  // MARK: Files

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private static func file(_ path: String) -> HostFacts.File? {
    status(path).map {
      HostFacts.File(uid: $0.st_uid, mode: $0.st_mode & 0o7777, isSocket: $0.st_mode & S_IFMT == S_IFSOCK)
    }
  }
}

/// Looks at the daemon's configuration for `watchword doctor`.
enum ConfigurationLook {
  /// The rules are those that the daemon has read, the fault is that of the file as it is now.
  ///
  /// - Parameter settings: nil: no daemon says which file it has; this account's is looked at.
  static func facts(ofDaemon settings: Sent.ServerConfiguration?) -> HostFacts.Configuration? {
    let given = settings.flatMap { $0.isGiven ? $0.path : nil }
    // One that only the daemon may read is no mistake.
    let isReadable = given.map { access($0, R_OK) == 0 } ?? true
    if isReadable, let fault = ConfigurationChecker.faults(in: given)?.first {
      // As the program says it: the file, and what is wrong in it.
      let mark = fault.indices.first { fault[$0...].hasPrefix(": ") } ?? fault.startIndex
      return HostFacts.Configuration(path: String(fault[..<mark]), fault: String(fault[mark...].dropFirst(2)))
    }
    guard let settings, settings.isRead, let path = settings.path else { return nil }
    let members = settings.members.compactMap { member in member.value.node.map { (member.name, $0) } }
    return HostFacts.Configuration(path: path, rules: rules(of: Dictionary(members) { $1 }))
  }

  /// What it turns off or demands, of what surprises people.
  private static func rules(of settings: [String: JSONNode]) -> [String] {
    var rules: [String] = []
    if settings["vault"]?["secretService"]?.bool == false {
      rules.append("the keyring of the desktop does not open the vault")
    }
    if settings["agent"]?["idleLockSeconds"] != nil {
      rules.append("the agent locks when it is not used")
    }
    let security = settings["transportSecurity"]
    if let defaults = security?["defaults"] { rules += demands(defaults) }
    if let count = security?["domains"]?.array?.count, count > 0 {
      rules.append("\(Quantity.count(count, "host")) with rules of their own for TLS and cleartext")
    }
    return rules
  }

  private static func demands(_ rule: JSONNode) -> [String] {
    var rules: [String] = []
    if rule["allowsCleartext"]?.bool == false { rules.append("http is refused, https is needed") }
    if rule["allowsLooseningTrust"]?.bool == false { rules.append("-k and --cacert do not count") }
    if let version = rule["minimumTLSVersion"]?.text {
      rules.append("TLS \(version) or newer is needed")
    }
    if rule["requiresForwardSecrecy"]?.bool == true { rules.append("forward secrecy is needed") }
    if rule["requiresRevocationCheck"]?.bool == true { rules.append("revocation must be checked") }
    if rule["pinnedPublicKeys"] != nil { rules.append("every server needs one of the pinned keys") }
    return rules
  }
}
