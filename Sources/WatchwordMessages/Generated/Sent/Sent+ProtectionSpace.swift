package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What one credential opens.
  package struct ProtectionSpace: SentObject {
    package let `protocol`: String
    package let host: String
    package let port: Int
    package let realm: String?
    package let realmBytes: String?
    package let authenticationMethod: String
    package let isProxy: Bool
    package let proxyType: String?
    /// True only over TLS to that hop.
    package let receivesCredentialSecurely: Bool
    /// The raw parameters of the first offer, with their names in lower case; none for a question of a TLS
    /// handshake. When a person must enter a code: verificationUri, userCode and perhaps
    /// verificationUriComplete instead (methods.md 9.10.7).
    package let parameters: [(name: String, value: String)]
    package let distinguishedNames: [String]?
    /// Of clientCertificate only: the keys whose signatures the server takes.
    package let keyTypes: [String]?
    package let serverTrust: Sent.ServerTrust?

    package init(
      `protocol`: String, host: String, port: Int, realm: String?, realmBytes: String?,
      authenticationMethod: String, isProxy: Bool, proxyType: String?, receivesCredentialSecurely: Bool,
      parameters: [(name: String, value: String)], distinguishedNames: [String]?, keyTypes: [String]?,
      serverTrust: Sent.ServerTrust?
    ) {
      self.protocol = `protocol`
      self.host = host
      self.port = port
      self.realm = realm
      self.realmBytes = realmBytes
      self.authenticationMethod = authenticationMethod
      self.isProxy = isProxy
      self.proxyType = proxyType
      self.receivesCredentialSecurely = receivesCredentialSecurely
      self.parameters = parameters
      self.distinguishedNames = distinguishedNames
      self.keyTypes = keyTypes
      self.serverTrust = serverTrust
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("host", host)
      writer.member("port", port)
      writer.member("realm", realm)
      if let realmBytes { writer.member("realmBytes", realmBytes) }
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("isProxy", isProxy)
      writer.member("proxyType", proxyType)
      writer.member("receivesCredentialSecurely", receivesCredentialSecurely)
      writer.member("parameters", parameters)
      writer.member("distinguishedNames", distinguishedNames)
      if let keyTypes { writer.member("keyTypes", keyTypes) }
      writer.member("serverTrust", serverTrust)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      host = try object.member("host")
      port = try object.member("port")
      realm = try object.member("realm")
      realmBytes = try object.memberIfPresent("realmBytes")
      authenticationMethod = try object.member("authenticationMethod")
      isProxy = try object.member("isProxy")
      proxyType = try object.member("proxyType")
      receivesCredentialSecurely = try object.member("receivesCredentialSecurely")
      parameters = try object.pairs("parameters")
      distinguishedNames = try object.member("distinguishedNames")
      keyTypes = try object.memberIfPresent("keyTypes")
      serverTrust = try object.member("serverTrust")
    }
  }
}
