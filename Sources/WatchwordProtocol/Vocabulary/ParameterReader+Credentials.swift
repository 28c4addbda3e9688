package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordPrimitives
package import WatchwordVocabulary

extension ParameterReader {
  /// The methods that a connection takes; `*` stands for all.
  package mutating func methods(_ name: String) throws(RPCError) -> DelegateInterest.Methods {
    let names = try optionalStrings(name, maximum: 64) ?? []
    var methods: Set<AuthenticationMethod> = []
    for (index, text) in names.enumerated() where text != "*" {
      guard let method = AuthenticationMethod(rawValue: text) else {
        throw .invalidParams(
          "\(path(name))[\(index)]", ParameterReader.choices(AuthenticationMethod.self) + ", or *")
      }
      methods.insert(method)
    }
    return names.contains("*") ? .all : .only(methods)
  }

  /// A credential that can be stored; nil when it is absent or null.
  package mutating func optionalCredential(_ name: String) throws(RPCError) -> GivenCredential? {
    if member(name) == .null { return nil }
    return try optionalObject(name) { reader throws(RPCError) in try reader.credential() }
  }

  mutating func credential() throws(RPCError) -> GivenCredential {
    let given = try optionalEnumeration("persistence", Persistence.self)
    let persistence = given ?? .forSession
    let narrowed = try optionalObject("limits") { reader throws(RPCError) in try reader.limits() }
    let limits = narrowed ?? CredentialLimits()
    let user = try optionalString("user", maximumBytes: 4096)
    let password = try optionalSecret("password")
    let token = try optionalSecret("token")
    let domain = try optionalString("domain", maximumBytes: 255)
    if let kerberos = try optionalKerberos("kerberos") {
      guard user == nil, password == nil, token == nil, domain == nil, member("trust") == nil else {
        throw fault("kerberos", "goes alone")
      }
      switch kerberos {
      case .complete(let source):
        return .complete(Credential(.kerberos(source), persistence: persistence, limits: limits))
      case .file(let file): return .kerberosFile(file, persistence: persistence, limits: limits)
      }
    }
    if let name = try optionalString("source", maximumBytes: ParameterReader.maximumSourceNameBytes) {
      guard user == nil, password == nil, token == nil, domain == nil, member("trust") == nil else {
        throw fault("source", "goes alone")
      }
      // The administrator's configuration is what lasts.
      guard persistence == .none || persistence == .forSession else {
        throw fault("persistence", "must be none or forSession with a source")
      }
      return .source(name, persistence: persistence, limits: limits)
    }
    let trust = try optionalEnumeration("trust", TrustScope.self)
    if member("identity") != nil {
      throw RPCError(
        .credentialUnusable, "\(path("identity")): not for this authentication method",
        details: ["reason": .string(CredentialFault.wrongKind.rawValue)])
    }
    if let trust {
      guard user == nil, password == nil, token == nil, domain == nil else {
        throw fault("trust", "goes alone")
      }
      guard narrowed == nil || given != .permanent && given != .synchronizable else {
        throw fault("limits", "are for decisions of a task or a session")
      }
      let limits = try optionalHandshakeLimits("limits") ?? CredentialLimits()
      return .complete(Credential(.trust(trust), persistence: given ?? .none, limits: limits))
    }
    if let domain { try check(domain: domain, of: user) }
    let kind: Credential.Kind
    switch (user, password, token) {
    case (.some(let user), .some(let password), nil):
      kind = .password(user: domain.map { $0 + #"\"# + user } ?? user, password: password)
    case (nil, nil, .some(let token)): kind = .token(token)
    case (.some, nil, nil): throw fault("password", "is missing")
    case (nil, .some, nil): throw fault("user", "is missing")
    case (nil, nil, nil):
      throw .invalidParams(path, "must have user and password, or token, kerberos, source, trust or identity")
    case (_, _, .some): throw fault("token", "goes without user and password")
    }
    return .complete(Credential(kind, persistence: persistence, limits: limits))
  }

  /// Of the name of a source in the administrator's configuration.
  package static let maximumSourceNameBytes = 128

  mutating func limits() throws(RPCError) -> CredentialLimits {
    var limits = CredentialLimits()
    limits.idleSeconds = try optionalSeconds("idleSeconds")
    limits.lifetimeSeconds = try optionalSeconds("lifetimeSeconds")
    if let date = try optionalString("notAfter", maximumBytes: 64) {
      guard let seconds = Timestamp.seconds(date) else {
        throw fault("notAfter", "must be a UTC time such as 2026-11-21T12:05:00Z")
      }
      limits.notAfter = seconds
    }
    // An empty list would mean all, which the caller did not intend.
    limits.pathPrefixes =
      try list("pathPrefixes", "must begin with /") { $0.utf8.first == UInt8(ascii: "/") } ?? []
    limits.methods = try list("methods", "is not an HTTP method", FieldSyntax.isToken) ?? []
    limits.maximumUses = try optionalInteger("maximumUses", in: 1...1_000_000_000).map(Int.init)
    limits.confirm = try optionalBool("confirm") ?? false
    return limits
  }

  /// At least one string, each of them valid.
  private mutating func list(
    _ name: String, _ message: String, _ isSound: (String) -> Bool
  ) throws(RPCError) -> [String]? {
    guard let list = try optionalStrings(name, maximum: 64) else { return nil }
    guard !list.isEmpty else { throw fault(name, "is empty") }
    for (index, element) in list.enumerated() where !isSound(element) {
      throw .invalidParams("\(path(name))[\(index)]", message)
    }
    return list
  }

  /// `realm`, or exactly `realmBytes`; both only in the daemon's own form.
  private mutating func realm() throws(RPCError) -> OctetString? {
    let text =
      member("realm") == .null ? nil : try optionalString("realm", maximumBytes: ParameterReader.realmBytes)
    guard member("realmBytes") != nil else { return text.map { OctetString($0) } }
    guard
      let octets = Base64.decode(
        try string("realmBytes", maximumBytes: (ParameterReader.realmBytes + 2) / 3 * 4))
    else { throw fault("realmBytes", "is not base64") }
    guard octets.count <= ParameterReader.realmBytes else {
      throw fault("realmBytes", "is longer than \(ParameterReader.realmBytes) bytes")
    }
    let realm = OctetString(octets: octets)
    if member("realm") != nil, text.map({ Bytewise($0) != Bytewise(realm.text) }) ?? true {
      throw fault("realmBytes", "contradicts realm")
    }
    return realm
  }

  /// `isProxy` and `proxyType`, which must agree with each other and with `protocol`; nil for an origin.
  private mutating func proxyType(of protocolName: ProxyType) throws(RPCError) -> ProxyType? {
    let isProxy = try optionalBool("isProxy")
    let named = member("proxyType") == .null ? nil : try optionalEnumeration("proxyType", ProxyType.self)
    guard isProxy ?? (named != nil) else {
      guard named == nil else { throw fault("proxyType", "contradicts isProxy") }
      guard !protocolName.isSOCKS else { throw fault("isProxy", "must be true for \(protocolName.rawValue)") }
      return nil
    }
    guard named == nil || named == protocolName else { throw fault("proxyType", "contradicts protocol") }
    return protocolName
  }

  /// The longest realm.
  private static let realmBytes = 4096

  /// The protection spaces that a caller names: two for the method `default`, which stands for Basic and Digest.
  ///
  /// Without `realm` they are of any realm; null is a challenge without realm.
  package mutating func protectionSpaces(_ name: String) throws(RPCError) -> [ProtectionSpace] {
    try object(name) { reader throws(RPCError) in
      let protocolName = try reader.enumeration("protocol", ProxyType.self)
      guard let host = HostRules.normalized(try reader.string("host", maximumBytes: 255)) else {
        throw reader.fault("host", "is not a host name or address (a name in other letters is its xn-- form)")
      }
      let port = try reader.optionalInteger("port", in: 1...65_535).map { UInt16($0) }
      let hasRealm = reader.member("realm") != nil || reader.member("realmBytes") != nil
      let realm = try reader.realm()
      let proxyType = try reader.proxyType(of: protocolName)
      // A SOCKS proxy stands under `http`: nothing protects what is sent to it.
      let scheme = protocolName == .https ? WebScheme.https : .http
      let method = try reader.string("authenticationMethod")
      let methods: [AuthenticationMethod]
      if method == "default" {
        methods = [.basic, .digest]
      } else if let one = AuthenticationMethod(rawValue: method) {
        methods = [one]
      } else {
        throw reader.fault(
          "authenticationMethod", ParameterReader.choices(AuthenticationMethod.self) + ", or default")
      }
      guard let port = port ?? (proxyType == nil ? scheme.defaultPort : nil) else {
        throw reader.fault("port", "is missing: proxies have no default")
      }
      let origin = Origin(scheme: scheme, host: host, port: port)
      return methods.map {
        hasRealm
          ? ProtectionSpace(origin: origin, realm: realm, authenticationMethod: $0, proxyType: proxyType)
          : ProtectionSpace(anyRealmOf: origin, authenticationMethod: $0, proxyType: proxyType)
      }
    }
  }
}
