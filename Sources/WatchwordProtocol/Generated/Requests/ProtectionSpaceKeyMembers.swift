package import WatchwordVocabulary

/// The members of `ProtectionSpaceKey`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct ProtectionSpaceKeyMembers: Sendable {
  package let `protocol`: ProxyType
  /// Host name or address, however it is written: it means what it means in a URL. A name in other
  /// letters is given in its xn-- form; a final dot makes another host.
  package let host: String
  /// Left out, the protocol's own.
  package let port: Int?
  /// As the server spells it; null: a challenge without realm. Left out: any realm; credential/set binds
  /// the credential to the first that accepts it, the others name all of them.
  package let realm: Parameter?
  /// The realm exactly, instead of realm; beside it only as both are shown.
  package let realmBytes: String?
  /// default stands for basic and digest alike. key is a key in a header field of its own (storage.md
  /// 9.4.9), and only for credential/set, credential/remove and credential/read.
  package let authenticationMethod: [AuthenticationMethod]
  /// For key, in place of a realm: the header field that carries it. credential/remove without it names
  /// the keys of all fields.
  package let field: String?
  package let isProxy: Bool?
  /// Of a proxy; it is the protocol.
  package let proxyType: ProxyType?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    `protocol` = try reader.required("protocol").enumeration(ProxyType.self)
    host = try reader.required("host").host(maximumBytes: 255)
    port = try reader["port"]?.integer(in: 1...65_535)
    realm = reader["realm"]
    realmBytes = try reader["realmBytes"]?.string(maximumBytes: 5464)
    authenticationMethod = try reader.required("authenticationMethod").spaceMethods()
    field = try reader["field"]?.fieldName()
    isProxy = try reader["isProxy"]?.bool()
    proxyType = try reader["proxyType"]?.unlessNull?.enumeration(ProxyType.self)
  }
}
