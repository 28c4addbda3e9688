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
    let name = "restrictedSockets"
    var paths: Set<String> = []
    return try reader.optionalArray(name, maximum: maximum) { value, path throws(RPCError) in
      guard case .object(let object) = value else {
        throw .invalidParams(path, "must be an object, not \(value.typeName)")
      }
      return try ParameterReader.decode(object, path: path) { reader throws(RPCError) in
        let socket = try RestrictedSocket(&reader)
        guard paths.insert(socket.path).inserted else { throw reader.fault("path", "is there twice") }
        return socket
      }
    } ?? []
  }

  private init(_ reader: inout ParameterReader) throws(RPCError) {
    let path = try reader.string("path", maximumBytes: Self.pathBytes)
    guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw reader.fault("path", "must be an absolute path of a socket")
    }
    self.init(
      path: path, session: try reader.optionalName("session") ?? SessionRegistry.defaultName,
      rules: try RestrictionRule.list(try reader.restrictionRules("rules"), path: reader.path("rules")))
  }
}
