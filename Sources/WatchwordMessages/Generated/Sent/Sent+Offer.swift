package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// One way to satisfy the server.
  package struct Offer: SentObject {
    package let authenticationMethod: String
    package let realm: String?
    package let realmBytes: String?
    /// Every raw parameter that the server sent, by lowercased name.
    package let parameters: [(name: String, value: String)]

    package init(
      authenticationMethod: String, realm: String?, realmBytes: String?,
      parameters: [(name: String, value: String)]
    ) {
      self.authenticationMethod = authenticationMethod
      self.realm = realm
      self.realmBytes = realmBytes
      self.parameters = parameters
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("parameters", parameters)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      authenticationMethod = try object.member("authenticationMethod")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      parameters = try object.pairs("parameters")
    }
  }
}
