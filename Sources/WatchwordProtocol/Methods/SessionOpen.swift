package import WatchwordCore
package import WatchwordJSON

/// `session/open`: opens or joins a session, and registers the challenges that this connection takes.
package enum SessionOpen {
  package struct Parameters: Sendable {
    /// Nil: a session of the connection's own.
    package let name: String?
    /// Nil: join an existing session, or create one with the defaults.
    package let configuration: SessionConfiguration?
    package let delegate: DelegateInterest?

    package init(_ object: JSONObject?) throws(RPCError) {
      (name, configuration, delegate) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let name = try reader.optionalName("name")
        if let name, name.hasPrefix(SessionOpen.privatePrefix) {
          throw reader.fault("name", "must not begin with \(SessionOpen.privatePrefix)")
        }
        let configuration = try reader.optionalObject("configuration") { reader throws(RPCError) in
          reader.memberNames.isEmpty ? nil : try SessionConfiguration(&reader)
        }
        let delegate = try reader.optionalObject("delegate") { reader throws(RPCError) in
          DelegateInterest(
            tasks: try reader.methods("tasks"), session: try reader.methods("session"),
            trustVerdicts: try reader.optionalEnumeration(
              "trustVerdicts", DelegateInterest.TrustVerdicts.self) ?? .all)
        }
        return (name, configuration ?? nil, delegate)
      }
    }
  }

  /// Only the daemon chooses names of private sessions.
  package static let privatePrefix = "private-"

  package static func write(session: String, created: Bool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("created", created)
    writer.endObject()
  }
}
