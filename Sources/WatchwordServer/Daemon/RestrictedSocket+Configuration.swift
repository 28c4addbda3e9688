internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol

/// `restrictedSockets` of the daemon's configuration file: `[{"path", "session"?, "rules"}]`.
extension RestrictedSocket {
  /// Each job or sandbox of a host has one.
  private static let maximum = 64
  /// What fits into the address of a Unix socket.
  private static let pathBytes = 107

  static func list(_ reader: inout ParameterReader) throws(RPCError) -> [RestrictedSocket] {
    var paths: Set<String> = []
    return try reader["restrictedSockets"]?.array(maximum: maximum) { element throws(RPCError) in
      try element.object { reader throws(RPCError) in
        let socket = try RestrictedSocket(&reader)
        guard paths.insert(socket.path).inserted else { throw reader.fault("path", "is there twice") }
        return socket
      }
    } ?? []
  }

  private init(_ reader: inout ParameterReader) throws(RPCError) {
    let path = try reader.required("path").string(maximumBytes: Self.pathBytes)
    guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw reader.fault("path", "must be an absolute path of a socket")
    }
    let rules = try reader.required("rules").array(maximum: 256, minimum: 1) { element throws(RPCError) in
      try element.object(RestrictionRuleMembers.init)
    }
    let session = try reader["session"]?.name() ?? SessionRegistry.defaultName
    for prefix in [SessionOpen.privatePrefix, SettingsName.prefix] where session.hasPrefix(prefix) {
      throw reader.fault("session", "must not begin with \(prefix)")
    }
    self.init(
      path: path, session: session,
      rules: try RestrictionRule.list(rules, path: reader.path("rules")))
  }
}
