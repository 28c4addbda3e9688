package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Names a protection space in a request.
  package struct ProtectionSpaceKey: SentObject {
    package let `protocol`: String
    /// Host name or address, however it is written: it means what it means in a URL. A name in other letters
    /// is given in its xn-- form; a final dot makes another host.
    package let host: String
    /// Left out, the protocol's own.
    package let port: Int?
    /// As the server spells it; null: a challenge without realm. Left out: any realm; credential/set binds
    /// the credential to the first that accepts it, the others name all of them.
    package let realm: String??
    /// The realm exactly, instead of realm; beside it only as both are shown.
    package let realmBytes: String?
    /// default stands for basic and digest alike. key is a key in a header field of its own (storage.md
    /// 9.4.9), and only for credential/set, credential/remove and credential/read.
    package let authenticationMethod: String
    /// For key, in place of a realm: the header field that carries it. credential/remove without it names the
    /// keys of all fields.
    package let field: String?
    package let isProxy: Bool?
    /// Of a proxy; it is the protocol.
    package let proxyType: String?

    package init(
      `protocol`: String, host: String, port: Int? = nil, realm: String?? = nil, realmBytes: String? = nil,
      authenticationMethod: String, field: String? = nil, isProxy: Bool? = nil, proxyType: String? = nil
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
      if let port { writer.member("port", port) }
      if let realm { writer.member("realm", realm) }
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      if let field { writer.member("field", field) }
      if let isProxy { writer.member("isProxy", isProxy) }
      if let proxyType { writer.member("proxyType", proxyType) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      host = try object.member("host")
      port = try object.memberIfPresent("port")
      realm = try object.memberIfPresent("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      authenticationMethod = try object.member("authenticationMethod")
      field = try object.memberIfPresent("field")
      isProxy = try object.memberIfPresent("isProxy")
      proxyType = try object.memberIfPresent("proxyType")
    }
  }
}
