package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordVocabulary

extension ParameterReader {
  /// A credential of any kind; nil when it is absent or null.
  package mutating func optionalGivenCredential(_ name: String) throws(RPCError) -> GivenCredential? {
    if member(name) == .null { return nil }
    return try optionalObject(name) { reader throws(RPCError) in
      guard reader.memberNames.contains("identity") else { return try reader.credential() }
      let source = try reader.identitySource("identity")
      let persistence = try reader.optionalEnumeration("persistence", Persistence.self) ?? .forSession
      let limits = try reader.optionalHandshakeLimits("limits")
      if limits != nil, case .stored = source { throw reader.fault("limits", "were given with the identity") }
      if limits != nil, persistence == .none { throw reader.fault("limits", "are for what is kept") }
      return .identity(source, persistence: persistence, limits: limits ?? CredentialLimits())
    }
  }

  /// Limits of time and number only: one handshake serves all paths, methods and tasks that share the connection.
  mutating func optionalHandshakeLimits(_ name: String) throws(RPCError) -> CredentialLimits? {
    try optionalObject(name) { reader throws(RPCError) in
      for member in ["pathPrefixes", "methods", "confirm"] where reader.memberNames.contains(member) {
        throw reader.fault(member, "is not for certificates: a connection serves every request")
      }
      return try reader.limits()
    }
  }

  /// An identity by its id, or the input for a new one.
  package mutating func identitySource(_ name: String) throws(RPCError) -> IdentitySource {
    if case .string = member(name) {
      return .stored(identifier: try string(name, maximumBytes: IdentityBounds.identifierBytes))
    }
    return .new(try newIdentity(name))
  }

  /// `{"certificates", "privateKey", "passphrase"?}`, `{"pkcs12", "passphrase"?}` or `{"pkcs11", "certificates"?,
  /// "passphrase"?}`.
  package mutating func newIdentity(_ name: String) throws(RPCError) -> NewIdentity {
    try object(name) { reader throws(RPCError) in
      let certificates = try reader.optionalString(
        "certificates", maximumBytes: IdentityBounds.certificateBytes)
      let privateKey = try reader.optionalSecret("privateKey", maximumBytes: IdentityBounds.keyBytes)
      let pkcs12 = try reader.optionalSecret("pkcs12", maximumBytes: IdentityBounds.pkcs12Bytes)
      let pkcs11 = try reader.optionalTokenURI("pkcs11")
      let passphrase = try reader.optionalSecret("passphrase", maximumBytes: IdentityBounds.passphraseBytes)
      // A key in this member would not be wiped.
      if let certificates, ParameterReader.hasPrivateKey(certificates) {
        throw reader.fault("certificates", "has a private key, which belongs into privateKey")
      }
      switch (certificates, privateKey, pkcs12, pkcs11) {
      case (.some(let certificates), .some(let privateKey), nil, nil):
        return .material(.pem(certificates: certificates, privateKey: privateKey, passphrase: passphrase))
      case (nil, nil, .some(let text), nil):
        guard let bytes = Base64.decode(text) else { throw reader.fault("pkcs12", "is not base64") }
        return .material(.pkcs12(bytes, passphrase: passphrase))
      case (let certificates, nil, nil, .some(let uri)):
        return .token(TokenKey(uri: uri, certificates: certificates, pin: passphrase))
      case (.some, nil, nil, nil): throw reader.fault("privateKey", "is missing")
      case (nil, .some, nil, nil): throw reader.fault("certificates", "is missing")
      case (nil, nil, nil, nil), (_, _, .some, _), (_, .some, _, .some):
        throw .invalidParams(reader.path, "must have certificates and privateKey, or pkcs12, or pkcs11")
      }
    }
  }

  private mutating func optionalTokenURI(_ name: String) throws(RPCError) -> TokenURI? {
    guard let text = try optionalString(name, maximumBytes: TokenURI.maximumBytes) else { return nil }
    do throws(TokenURIFault) {
      return try TokenURI(text)
    } catch {
      throw fault(name, error.text)
    }
  }

  private static func hasPrivateKey(_ text: String) -> Bool {
    let mark = Array("PRIVATE KEY-----".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count >= mark.count else { return false }
    return (0...(bytes.count - mark.count)).contains {
      bytes[$0] == mark[0] && bytes[$0..<($0 + mark.count)].elementsEqual(mark)
    }
  }
}
