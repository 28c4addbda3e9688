package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A protection space as lists show it.
  package struct ProtectionSpaceName: SentObject {
    package let `protocol`: String
    package let host: String
    package let port: Int
    /// Left out: any realm, until a server accepts the credential.
    package let realm: String??
    package let realmBytes: String?
    package let authenticationMethod: String
    /// Of key only: the header field that carries it, in lower case.
    package let field: String?
    package let isProxy: Bool
    /// Of a proxy only.
    package let proxyType: String?

    package init(
      `protocol`: String, host: String, port: Int, realm: String??, realmBytes: String?,
      authenticationMethod: String, field: String?, isProxy: Bool, proxyType: String?
    ) {
      self.protocol = `protocol`
      self.host = host
      self.port = port
      self.realm = realm
      self.realmBytes = realmBytes
      self.authenticationMethod = authenticationMethod
      self.field = field
      self.isProxy = isProxy
      self.proxyType = proxyType
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("host", host)
      writer.member("port", port)
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      if let field { writer.member("field", field) }
      writer.member("isProxy", isProxy)
      if let proxyType { writer.member("proxyType", proxyType) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      host = try object.member("host")
      port = try object.member("port")
      realm = try object.memberIfPresent("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      authenticationMethod = try object.member("authenticationMethod")
      field = try object.memberIfPresent("field")
      isProxy = try object.member("isProxy")
      proxyType = try object.memberIfPresent("proxyType")
    }
  }
}
