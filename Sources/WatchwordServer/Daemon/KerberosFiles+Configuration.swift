internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `kerberos` of the daemon's configuration file:
/// `{"caches": {NAME: PATH}, "keytabs": {NAME: {"path", "principal"}}}`.
extension KerberosFiles {
  /// More than a person names in one file.
  private static let maximumNames = 256

  init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    caches =
      try reader["caches"]?.object { reader throws(RPCError) in
        var caches: [String: String] = [:]
        for member in try reader.members(maximum: KerberosFiles.maximumNames) {
          // The name of the daemon's own cache.
          guard member.name != "default" else {
            throw reader.fault(member.name, "is the default cache's name")
          }
          guard let path = member.value.value.text, KerberosFiles.isPath(path) else {
            throw reader.fault(member.name, "must be an absolute path")
          }
          caches[member.name] = "FILE:" + path
        }
        return caches
      } ?? [:]
    keytabs =
      try reader["keytabs"]?.object { reader throws(RPCError) in
        var keytabs: [String: Keytab] = [:]
        for member in try reader.members(maximum: KerberosFiles.maximumNames) {
          keytabs[member.name] = try member.value.object { reader throws(RPCError) in
            let path = try reader.required("path").string(maximumBytes: 4096)
            guard KerberosFiles.isPath(path) else { throw reader.fault("path", "must be an absolute path") }
            return Keytab(
              path: "FILE:" + path,
              principal: try reader.required("principal").string(
                maximumBytes: KerberosSource.maximumNameBytes))
          }
        }
        return keytabs
      } ?? [:]
  }

  private static func isPath(_ text: String) -> Bool { text.hasPrefix("/") }
}
