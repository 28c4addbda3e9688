internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Paths and names in the configuration file.
extension Parameter {
  /// The absolute path of a file.
  func filePath(maximumBytes: Int) throws(RPCError) -> String {
    let path = try string(maximumBytes: maximumBytes)
    guard path.hasPrefix("/") else { throw fault("must be an absolute path") }
    return path
  }

  func socketPath(maximumBytes: Int) throws(RPCError) -> String {
    let path = try string(maximumBytes: maximumBytes)
    guard path.hasPrefix("/"), !path.hasSuffix("/") else {
      throw fault("must be an absolute path of a socket")
    }
    return path
  }

  func journalPath(maximumBytes: Int) throws(RPCError) -> String {
    let path = try string(maximumBytes: maximumBytes)
    guard path.hasPrefix("/") else { throw fault("must be an absolute path of a socket") }
    return path
  }

  /// The PKCS#11 modules, each once: one that is loaded twice shows every token twice, and no URI would match
  /// only one.
  func modulePaths(maximum: Int) throws(RPCError) -> [String] {
    var paths = try strings(maximum: maximum)
    // The loader would search for a relative path.
    guard paths.allSatisfy({ $0.hasPrefix("/") }) else { throw fault("must be absolute paths") }
    var known: Set<String> = []
    paths.removeAll { !known.insert($0).inserted }
    return paths
  }

  /// The name of a credential, which is no path.
  func systemdCredential(maximumBytes: Int) throws(RPCError) -> String {
    let name = try string(maximumBytes: maximumBytes)
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
      throw fault("must be a credential's name, not a path")
    }
    return name
  }
}

/// `kerberos` of the configuration file.
extension Parameter {
  func kerberosFiles() throws(RPCError) -> KerberosFiles {
    let given = try object(DaemonSettings.Kerberos.init)
    var files = KerberosFiles()
    files.caches = given.caches.mapValues { "FILE:" + $0 }
    files.keytabs = given.keytabs.mapValues {
      KerberosFiles.Keytab(path: "FILE:" + $0.path, principal: $0.principal)
    }
    return files
  }

  func kerberosCaches(maximum: Int) throws(RPCError) -> [String: String] {
    try object { reader throws(RPCError) in
      var caches: [String: String] = [:]
      for member in try reader.members(maximum: maximum) {
        // The name of the daemon's own cache.
        guard member.name != "default" else {
          throw reader.fault(member.name, "is the default cache's name")
        }
        guard let path = member.value.value.text, path.hasPrefix("/") else {
          throw reader.fault(member.name, "must be an absolute path")
        }
        caches[member.name] = path
      }
      return caches
    }
  }
}

/// `transportSecurity` of the configuration file.
extension Parameter {
  func trustPolicy() throws(RPCError) -> TrustPolicy {
    try object { reader throws(RPCError) in try TrustPolicy(&reader) }
  }
}

/// `restrictedSockets` of the configuration file.
extension Parameter {
  func restrictedSocket() throws(RPCError) -> RestrictedSocket {
    try object { reader throws(RPCError) in
      let given = try DaemonSettings.RestrictedSocket(&reader)
      guard !given.session.hasPrefix(SettingsName.prefix) else {
        throw reader.fault("session", "must not begin with \(SettingsName.prefix)")
      }
      return RestrictedSocket(
        path: given.path, session: given.session,
        rules: try RestrictionRule.list(given.rules, path: reader.path("rules")))
    }
  }
}

extension DaemonSettings {
  /// That each socket is there once.
  func checkSockets() throws(RPCError) {
    var paths: Set<String> = []
    for (index, socket) in restrictedSockets.enumerated() where !paths.insert(socket.path).inserted {
      throw .invalidParams("restrictedSockets[\(index)].path", "is there twice")
    }
  }
}
