package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `initialize`. Says hello; optional.
  package struct Initialize: MethodRequest {
    package typealias Result = Sent.Greeting
    package static let method = "initialize"

    /// What the caller calls itself; shown to people.
    package let name: String?
    package let version: String?
    package let protocolVersion: String?
    package let capabilities: Request.InitializeCapabilities?

    package init(
      name: String? = nil, version: String? = nil, protocolVersion: String? = nil,
      capabilities: Request.InitializeCapabilities? = nil
    ) {
      self.name = name
      self.version = version
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let name { writer.member("name", name) }
      if let version { writer.member("version", version) }
      if let protocolVersion { writer.member("protocolVersion", protocolVersion) }
      if let capabilities { writer.member("capabilities", capabilities) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.memberIfPresent("name")
      version = try object.memberIfPresent("version")
      protocolVersion = try object.memberIfPresent("protocolVersion")
      capabilities = try object.memberIfPresent("capabilities")
    }
  }
}
