internal import WatchwordCore
internal import WatchwordVocabulary

/// Protection spaces that a caller names.
extension Parameter {
  /// The longest realm.
  private static let realmBytes = 4096

  /// Two for the method `default`, which stands for Basic and Digest.
  ///
  /// Without `realm` they are of any realm; null is a challenge without realm.
  func protectionSpaces() throws(RPCError) -> [ProtectionSpace] {
    let given = try object(ProtectionSpaceKeyMembers.init)
    let realm = try self.realm(given)
    let proxyType = try self.proxyType(given)
    // A SOCKS proxy stands under `http`: nothing protects what is sent to it.
    let scheme = given.protocol == .https ? WebScheme.https : .http
    guard let port = given.port.map({ UInt16($0) }) ?? (proxyType == nil ? scheme.defaultPort : nil) else {
      throw member("port", "is missing: proxies have no default")
    }
    let origin = Origin(scheme: scheme, host: given.host, port: port)
    if given.authenticationMethod == [.key] {
      return [try keySpace(given, at: origin, proxyType)]
    }
    guard given.field == nil else { throw member("field", "goes with the method key only") }
    return given.authenticationMethod.map {
      given.realm != nil || given.realmBytes != nil
        ? ProtectionSpace(origin: origin, realm: realm, authenticationMethod: $0, proxyType: proxyType)
        : ProtectionSpace(anyRealmOf: origin, authenticationMethod: $0, proxyType: proxyType)
    }
  }

  /// Of all fields when none is named.
  private func keySpace(
    _ given: ProtectionSpaceKeyMembers, at origin: Origin, _ proxyType: ProxyType?
  ) throws(RPCError) -> ProtectionSpace {
    guard given.realm == nil, given.realmBytes == nil else {
      throw member("realm", "goes without the method key, which has a field instead")
    }
    guard let field = given.field else {
      return ProtectionSpace(anyRealmOf: origin, authenticationMethod: .key, proxyType: proxyType)
    }
    guard KeyField.isAllowed(field) else {
      throw member(
        "field", "cannot carry a key: it has more than 128 bytes, or a meaning of its own in HTTP")
    }
    return ProtectionSpace(keyOf: origin, field: field, proxyType: proxyType)
  }

  private func member(_ name: String, _ message: String) -> RPCError {
    .invalidParams("\(path).\(name)", message)
  }

  /// `realm`, or exactly `realmBytes`; both only in the daemon's own form.
  private func realm(_ given: ProtectionSpaceKeyMembers) throws(RPCError) -> OctetString? {
    let text = try given.realm?.unlessNull?.string(maximumBytes: Parameter.realmBytes)
    guard let encoded = given.realmBytes else { return text.map { OctetString($0) } }
    guard let octets = Base64.decode(encoded) else { throw member("realmBytes", "is not base64") }
    guard octets.count <= Parameter.realmBytes else {
      throw member("realmBytes", "is longer than \(Parameter.realmBytes) bytes")
    }
    let realm = OctetString(octets: octets)
    if given.realm != nil, text.map({ Bytewise($0) != Bytewise(realm.text) }) ?? true {
      throw member("realmBytes", "contradicts realm")
    }
    return realm
  }

  /// `isProxy` and `proxyType`, which must agree with each other and with `protocol`; nil for an origin.
  private func proxyType(_ given: ProtectionSpaceKeyMembers) throws(RPCError) -> ProxyType? {
    let named = given.proxyType
    guard given.isProxy ?? (named != nil) else {
      guard named == nil else { throw member("proxyType", "contradicts isProxy") }
      guard !given.protocol.isSOCKS else {
        throw member("isProxy", "must be true for \(given.protocol.rawValue)")
      }
      return nil
    }
    guard named == nil || named == given.protocol else { throw member("proxyType", "contradicts protocol") }
    return given.protocol
  }

  func spaceMethods() throws(RPCError) -> [AuthenticationMethod] {
    let name = try string()
    if name == "default" { return [.basic, .digest] }
    guard let method = AuthenticationMethod(rawValue: name) else {
      throw fault(Parameter.choices(AuthenticationMethod.self) + ", or default")
    }
    return [method]
  }

  // MARK: The methods that a connection takes

  func delegateInterest() throws(RPCError) -> DelegateInterest {
    let given = try object(DelegateMembers.init)
    return DelegateInterest(
      tasks: given.tasks ?? .only([]), session: given.session ?? .only([]), trustVerdicts: given.trustVerdicts
    )
  }

  /// `*` stands for all.
  func delegateMethods(maximum: Int) throws(RPCError) -> DelegateInterest.Methods {
    var isAll = false
    var methods: Set<AuthenticationMethod> = []
    for element in try array(maximum: maximum, { element throws(RPCError) in element }) {
      let name = try element.string(maximumBytes: Int.max)
      if name == "*" {
        isAll = true
      } else if let method = AuthenticationMethod(rawValue: name), method != .key {
        methods.insert(method)
      } else {
        throw element.fault(Parameter.choices(AuthenticationMethod.self) + ", or *")
      }
    }
    return isAll ? .all : .only(methods)
  }
}
