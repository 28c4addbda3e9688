internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

extension Parameter {
  /// Limits of time and number only: one handshake serves all paths, methods and tasks that share the
  /// connection.
  func handshakeLimits() throws(RPCError) -> CredentialLimits {
    for member in ["pathPrefixes", "methods", "confirm"] where value.member(member) != nil {
      throw .invalidParams("\(path).\(member)", "is not for certificates: a connection serves every request")
    }
    let given = try object(IdentityLimitsMembers.init)
    var limits = CredentialLimits()
    limits.idleSeconds = given.idleSeconds
    limits.lifetimeSeconds = given.lifetimeSeconds
    limits.notAfter = given.notAfter
    limits.maximumUses = given.maximumUses
    return limits
  }

  /// `i-` and 32 digits, and room for later forms.
  private static let maximumIdentifierBytes = 64

  /// An identity by its id, or the input for a new one.
  func identitySource() throws(RPCError) -> IdentitySource {
    guard value.kind == .string else { return .new(try newIdentity()) }
    return .stored(identifier: try string(maximumBytes: Parameter.maximumIdentifierBytes))
  }

  /// `{"certificates", "privateKey", "passphrase"?}`, `{"pkcs12", "passphrase"?}` or
  /// `{"pkcs11", "certificates"?, "passphrase"?}`.
  func newIdentity() throws(RPCError) -> NewIdentity {
    let given = try object(IdentityMaterialMembers.init)
    // A key in this member would not be wiped.
    if let certificates = given.certificates, Parameter.hasPrivateKey(certificates) {
      throw .invalidParams("\(path).certificates", "has a private key, which belongs into privateKey")
    }
    switch (given.certificates, given.privateKey, given.pkcs12, given.pkcs11) {
    case (.some(let certificates), .some(let privateKey), nil, nil):
      return .material(
        .pem(certificates: certificates, privateKey: privateKey, passphrase: given.passphrase))
    case (nil, nil, .some(let text), nil):
      guard let bytes = Base64.decode(text) else { throw .invalidParams("\(path).pkcs12", "is not base64") }
      return .material(.pkcs12(bytes, passphrase: given.passphrase))
    case (let certificates, nil, nil, .some(let uri)):
      return .token(TokenKey(uri: uri, certificates: certificates, pin: given.passphrase))
    case (.some, nil, nil, nil): throw .invalidParams("\(path).privateKey", "is missing")
    case (nil, .some, nil, nil): throw .invalidParams("\(path).certificates", "is missing")
    case (nil, nil, nil, nil), (_, _, .some, _), (_, .some, _, .some):
      throw fault("must have certificates and privateKey, or pkcs12, or pkcs11")
    }
  }

  func tokenURI(maximumBytes: Int) throws(RPCError) -> TokenURI {
    let text = try string(maximumBytes: maximumBytes)
    do throws(TokenURIFault) {
      return try TokenURI(text)
    } catch {
      throw fault(error.text)
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
