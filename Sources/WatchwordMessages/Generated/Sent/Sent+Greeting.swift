package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How the daemon answers initialize.
  package struct Greeting: SentObject {
    package let name: String
    package let version: String
    package let protocolVersion: String
    package let capabilities: Sent.GreetingCapabilities
    package let pid: Int
    package let uid: Int
    package let limits: [(name: String, value: Int)]

    package init(
      name: String, version: String, protocolVersion: String, capabilities: Sent.GreetingCapabilities,
      pid: Int, uid: Int, limits: [(name: String, value: Int)]
    ) {
      self.name = name
      self.version = version
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
      self.pid = pid
      self.uid = uid
      self.limits = limits
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("version", version)
      writer.member("protocolVersion", protocolVersion)
      writer.member("capabilities", capabilities)
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("limits", limits)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      version = try object.member("version")
      protocolVersion = try object.member("protocolVersion")
      capabilities = try object.member("capabilities")
      pid = try object.member("pid")
      uid = try object.member("uid")
      limits = try object.pairs("limits")
    }
  }
}
