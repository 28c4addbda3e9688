internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// The store of the fleet, if the configuration names one.
extension Daemon: SynchronizationEnvironment {
  var isSynchronized: Bool { options.synchronization != nil }

  /// The vaults that there are, and the daemon's own account; others follow when they connect.
  func beginSynchronization() {
    guard let synchronizer else { return }
    vaults.noted = { [unowned synchronizer] in synchronizer.note($0) }
    for uid in vaults.knownAccounts.union(options.isHostWide ? [] : [getuid()]) { synchronizer.note(uid) }
  }

  func synchronizationChanged(_ note: Synchronizer.Note?) {
    switch note {
    case .watching(let endpoint):
      logger.notice("synchronization begun", metadata: ["endpoint": "\(endpoint)"])
    case .fault(let fault, let endpoint):
      logger.warning(
        "synchronization disturbed", metadata: ["reason": "\(fault.rawValue)", "endpoint": "\(endpoint)"])
    case .foreign(let count):
      logger.warning("records of the fleet that do not open", metadata: ["count": "\(count)"])
    case nil: break
    }
    noteChange()
    idleExit.synchronizationChanged()
  }
}

/// `{"endpoints", "prefix", "keyFile", "user"?, "passwordFile"?, "roots"?, "certificate"?, "privateKey"?}`.
extension SynchronizationSettings {
  /// A cluster of etcd has seven members at most.
  private static let maximumEndpoints = 16
  private static let maximumPrefixBytes = 256

  init(_ reader: inout ParameterReader) throws(RPCError) {
    let texts = try reader["endpoints"]?.strings(maximum: Self.maximumEndpoints) ?? []
    guard !texts.isEmpty else { throw reader.fault("endpoints", "is missing") }
    var endpoints: [RequestURL] = []
    for (index, text) in texts.enumerated() {
      let origin = try URLParameter.origin(text, path: "\(reader.path("endpoints"))[\(index)]")
      guard origin.isSecure || origin.isLoopback else {
        throw reader.fault("endpoints", "must be https, or http on a loopback address")
      }
      endpoints.append(RequestURL(origin: origin, path: "/", query: nil))
    }
    let prefix = try reader.required("prefix").string(maximumBytes: Self.maximumPrefixBytes)
    guard prefix.hasPrefix("/"), !prefix.hasSuffix("/"), prefix.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw reader.fault(
        "prefix", "must begin with / and have visible characters of ASCII only, the last not /")
    }
    let keyFile = try reader.required("keyFile").filePath()
    let name = try reader["user"]?.string(maximumBytes: 1024)
    let passwordFile = try reader["passwordFile"]?.filePath()
    guard (name == nil) == (passwordFile == nil) else {
      throw reader.fault(name == nil ? "user" : "passwordFile", "is missing")
    }
    let certificate = try reader["certificate"]?.filePath()
    let privateKey = try reader["privateKey"]?.filePath()
    guard (certificate == nil) == (privateKey == nil) else {
      throw reader.fault(certificate == nil ? "certificate" : "privateKey", "is missing")
    }
    self.init(
      endpoints: endpoints, prefix: prefix, keyFile: keyFile,
      user: name.flatMap { name in passwordFile.map { User(name: name, passwordFile: $0) } },
      roots: try reader["roots"]?.filePath(),
      identity: certificate.flatMap { certificate in
        privateKey.map { Identity(certificate: certificate, privateKey: $0) }
      })
  }
}
