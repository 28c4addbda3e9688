internal import Glibc
package import Logging
package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
package import WatchwordTransport

/// The daemon's configuration: a JSON object `{"logLevel": …, "access": "user" | "host", "transportSecurity": {…},
/// "pkcs11Modules": […], "kerberos": {…}, "credentialSources": {…}, "vault": {…}, "historyFile": PATH,
/// "historyJournal": PATH, "restrictedSockets": […], "agent": {"idleLockSeconds": SECONDS, "lockOnSuspend": BOOLEAN},
/// "synchronization": {…}}`, all optional.
package struct ConfigurationFile: Sendable {
  package var logLevel: Logger.Level?
  package var isHostWide = false
  package var policy = TrustPolicy()
  package var tokenModules: [String] = []
  package var kerberosFiles = KerberosFiles()
  package var historyPath: String?
  /// The socket of the journal.
  package var historyJournal: String?
  /// An agent that is not used for so long is locked; nil: never.
  package var idleLockSeconds: Double?
  /// Whether agents are locked before the machine goes to sleep.
  package var locksOnSuspend = false
  package var sources: [String: NamedSource] = [:]
  package var restrictedSockets: [RestrictedSocket] = []
  /// The name of the credential of systemd that opens vaults.
  package var vaultCredential: String?
  /// Whether a desktop session may keep the key of the daemon's own vault.
  package var usesSecretService = true
  package var synchronization: SynchronizationSettings?

  /// Each maker of tokens and of hardware modules has one.
  private static let maximumModules = 16
  private static let maximumBytes = 1024 * 1024

  package init(path: String) throws(ConfigurationFault) {
    // Opening a FIFO would wait for its writer, and a device may have no end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw ConfigurationFault("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationFault("\(path): is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: ConfigurationFile.maximumBytes)
    guard let count = FileBytes.read(descriptor, into: &bytes) else {
      throw ConfigurationFault("\(path): \(String(cString: strerror(errno)))")
    }
    guard count < bytes.count else { throw ConfigurationFault("\(path): larger than \(bytes.count) bytes") }
    let parsed: Result<JSONNode, ConfigurationFault> = bytes.withUnsafeBytes { buffer in
      let contents = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      return Result { () throws(JSONError) in try JSONParser().node(contents) }
        .mapError { ConfigurationFault("\(path): \($0.text(inFile: contents))") }
    }
    let object = try parsed.get()
    guard object.kind == .object else { throw ConfigurationFault("\(path): not a JSON object") }
    do throws(RPCError) {
      self = try ParameterReader.decode(object, path: "") { reader throws(RPCError) in
        try ConfigurationFile(&reader)
      }
    } catch {
      throw ConfigurationFault("\(path): \(error.message)", member: error.place)
    }
  }

  private init(_ reader: inout ParameterReader) throws(RPCError) {
    logLevel = try reader["logLevel"]?.enumeration(Logger.Level.self)
    policy =
      try reader["transportSecurity"]?.object { reader throws(RPCError) in try TrustPolicy(&reader) }
      ?? policy
    kerberosFiles =
      try reader["kerberos"]?.object { reader throws(RPCError) in try KerberosFiles(&reader) }
      ?? kerberosFiles
    sources =
      try reader["credentialSources"]?.object { reader throws(RPCError) in
        try NamedSource.sources(&reader)
      } ?? [:]
    (vaultCredential, usesSecretService) =
      try reader["vault"]?.object { reader throws(RPCError) in
        (
          try reader["systemdCredential"]?.systemdCredential(),
          try reader["secretService"]?.bool() ?? true
        )
      } ?? (nil, true)
    tokenModules =
      try reader["pkcs11Modules"]?.strings(maximum: ConfigurationFile.maximumModules) ?? []
    // The loader would search for a relative path.
    guard tokenModules.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) }) else {
      throw reader.fault("pkcs11Modules", "must be absolute paths")
    }
    // A module that is loaded twice shows every token twice, and no URI would match only one.
    var known: Set<String> = []
    tokenModules.removeAll { !known.insert($0).inserted }
    historyPath = try reader["historyFile"]?.string(maximumBytes: 4096)
    if let historyPath, !historyPath.hasPrefix("/") || historyPath.utf8.contains(0) {
      throw reader.fault("historyFile", "must be an absolute path")
    }
    // As long as the address of a socket may be.
    historyJournal = try reader["historyJournal"]?.string(maximumBytes: 107)
    if let historyJournal, !historyJournal.hasPrefix("/") || historyJournal.utf8.contains(0) {
      throw reader.fault("historyJournal", "must be an absolute path of a socket")
    }
    restrictedSockets = try RestrictedSocket.list(&reader)
    (idleLockSeconds, locksOnSuspend) =
      try reader["agent"]?.object { reader throws(RPCError) in
        (
          try reader["idleLockSeconds"]?.number(in: 0.1...315_360_000),
          try reader["lockOnSuspend"]?.bool() ?? false
        )
      } ?? (nil, false)
    synchronization = try reader["synchronization"]?.object { reader throws(RPCError) in
      try SynchronizationSettings(&reader)
    }
    isHostWide = try reader["access"]?.enumeration(Access.self) == .host
  }

  private enum Access: String, CaseIterable {
    case user
    case host
  }
}
