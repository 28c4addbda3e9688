package import Logging
package import WatchwordCore
package import WatchwordJSON
internal import WatchwordProtocol
package import WatchwordTransport

/// The daemon's configuration: a JSON object whose members are all optional
/// (`protocol/configuration.json`).
package struct ConfigurationFile: Sendable {
  /// As the file has them; nil: there is no file.
  package private(set) var members: JSONObject?
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

  private static let maximumFaults = 64

  /// What counts where there is no file.
  package init() {}

  /// Reads the file; the calls block.
  package init(_ place: ConfigurationPlace) throws(ConfigurationFault) {
    guard let contents = try ConfigurationContents(place) else {
      self.init()
      return
    }
    let object = try contents.object()
    do throws(RPCError) {
      self = try ConfigurationFile.read(object, place)
      members = contents.members
    } catch {
      throw contents.fault(error)
    }
  }

  /// Every fault of a file that shows beside the others, in the order of the file; the calls block.
  package static func faults(of place: ConfigurationPlace) -> [ConfigurationFault] {
    var faults: [ConfigurationFault] = []
    do throws(ConfigurationFault) {
      guard var contents = try ConfigurationContents(place) else { return [] }
      while faults.count < maximumFaults {
        let object = try contents.object()
        do throws(RPCError) {
          _ = try read(object, place)
          break
        } catch {
          faults.append(contents.fault(error))
          guard contents.remove(concernedBy: error) else { break }
        }
      }
    } catch {
      faults.append(error)
    }
    return faults.sorted(on: \.offset)
  }

  private static func read(
    _ object: JSONNode, _ place: ConfigurationPlace
  ) throws(RPCError) -> ConfigurationFile {
    try ParameterReader.decode(object, path: "") { reader throws(RPCError) in
      let file = try ConfigurationFile(&reader)
      guard !place.isOwn || !file.isHostWide else {
        throw reader.fault("access", "only a file that --configuration names may let other uids connect")
      }
      return file
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
    guard tokenModules.allSatisfy({ $0.hasPrefix("/") }) else {
      throw reader.fault("pkcs11Modules", "must be absolute paths")
    }
    // A module that is loaded twice shows every token twice, and no URI would match only one.
    var known: Set<String> = []
    tokenModules.removeAll { !known.insert($0).inserted }
    historyPath = try reader["historyFile"]?.string(maximumBytes: 4096)
    if let historyPath, !historyPath.hasPrefix("/") {
      throw reader.fault("historyFile", "must be an absolute path")
    }
    // As long as the address of a socket may be.
    historyJournal = try reader["historyJournal"]?.string(maximumBytes: 107)
    if let historyJournal, !historyJournal.hasPrefix("/") {
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
