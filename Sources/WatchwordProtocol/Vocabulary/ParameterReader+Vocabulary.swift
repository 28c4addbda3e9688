package import WatchwordCore
internal import WatchwordJSON

extension ParameterReader {
  /// Bytes of a session's, a task's or an account's name.
  package static let maximumNameBytes = 128

  /// A name that callers choose: letters, digits, `.`, `_`, `-`; it goes into logs, status and shell scripts.
  package mutating func optionalName(_ name: String) throws(RPCError) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard (1...ParameterReader.maximumNameBytes).contains(text.utf8.count),
      text.utf8.allSatisfy(ParameterReader.isNameByte)
    else {
      throw fault(
        name, "must be 1 to \(ParameterReader.maximumNameBytes) letters, digits, dots, underscores or hyphens"
      )
    }
    return text
  }

  package mutating func name(_ name: String) throws(RPCError) -> String {
    guard let text = try optionalName(name) else { throw fault(name, "is missing") }
    return text
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Header fields

  /// Header fields of one request, and bytes of them all.
  package static let maximumHeaders = 256

  /// An array of `[name, value]`; names and values are checked, not repaired (CVE-2020-11008, request smuggling).
  package mutating func optionalHeaders(_ name: String) throws(RPCError) -> [HeaderField]? {
    try optionalArray(name, maximum: ParameterReader.maximumHeaders) { value, path throws(RPCError) in
      guard case .array(let pair) = value, pair.count == 2, case .string(let field) = pair[0],
        case .string(let content) = pair[1]
      else { throw .invalidParams(path, "must be [name, value]") }
      guard HeaderRules.isToken(field) else {
        throw .invalidParams("\(path)[0]", "is not a header field name")
      }
      guard !HeaderRules.isReserved(field) else {
        throw .invalidParams("\(path)[0]", "this field belongs to the daemon")
      }
      guard HeaderRules.isValue(content) else {
        throw .invalidParams("\(path)[1]", "holds a control character")
      }
      return HeaderField(field, content)
    }
  }

  /// An HTTP method: a token of at most 32 bytes (RFC 9110 §9.1).
  package mutating func optionalMethod(_ name: String) throws(RPCError) -> String? {
    guard let method = try optionalString(name) else { return nil }
    guard HeaderRules.isToken(method), method.utf8.count <= 32 else {
      throw fault(name, "is not an HTTP method")
    }
    guard method != "CONNECT" else { throw fault(name, "CONNECT is the proxy's") }
    return method
  }

  // MARK: Authentication

  package mutating func methods(_ name: String) throws(RPCError) -> DelegateInterest.Methods {
    let names = try optionalStrings(name, maximum: 64) ?? []
    if names.contains("*") { return .all }
    var methods: Set<AuthenticationMethod> = []
    for (index, text) in names.enumerated() {
      guard let method = AuthenticationMethod(rawValue: text) else {
        throw .invalidParams(
          "\(path(name))[\(index)]", ParameterReader.choices(AuthenticationMethod.self) + ", or *")
      }
      methods.insert(method)
    }
    return .only(methods)
  }

  /// A credential; nil when it is absent or null.
  package mutating func optionalCredential(_ name: String) throws(RPCError) -> Credential? {
    if member(name) == .null { return nil }
    return try optionalObject(name) { reader throws(RPCError) in try reader.credential() }
  }

  private mutating func credential() throws(RPCError) -> Credential {
    let persistence = try optionalEnumeration("persistence", Persistence.self)
    let limits = try optionalObject("limits") { reader throws(RPCError) in try reader.limits() }
    let user = try optionalString("user", maximumBytes: 4096)
    let password = try optionalSecret("password")
    let token = try optionalSecret("token")
    for kind in ["identity", "trust"] where member(kind) != nil {
      throw RPCError(.credentialUnusable, "\(path(kind)): not for this authentication method")
    }
    let kind: Credential.Kind
    switch (user, password, token) {
    case (.some(let user), .some(let password), nil): kind = .password(user: user, password: password)
    case (nil, nil, .some(let token)): kind = .token(token)
    case (.some, nil, nil): throw fault("password", "is missing")
    case (nil, .some, nil): throw fault("user", "is missing")
    case (nil, nil, nil): throw .invalidParams(path, "must have user and password, or token")
    case (_, _, .some): throw fault("token", "goes without user and password")
    }
    return Credential(kind, persistence: persistence ?? .forSession, limits: limits ?? CredentialLimits())
  }

  private mutating func limits() throws(RPCError) -> CredentialLimits {
    var limits = CredentialLimits()
    limits.idleSeconds = try optionalSeconds("idleSeconds")
    limits.lifetimeSeconds = try optionalSeconds("lifetimeSeconds")
    if let date = try optionalString("notAfter", maximumBytes: 64) {
      guard let seconds = Timestamp.seconds(date) else {
        throw fault("notAfter", "must be a UTC time such as 2026-11-21T12:05:00Z")
      }
      limits.notAfter = seconds
    }
    limits.pathPrefixes = try optionalStrings("pathPrefixes", maximum: 64) ?? []
    if member("pathPrefixes") == .array([]) { throw fault("pathPrefixes", "must not be empty") }
    for (index, prefix) in limits.pathPrefixes.enumerated() where !prefix.hasPrefix("/") {
      throw .invalidParams("\(path("pathPrefixes"))[\(index)]", "must begin with /")
    }
    limits.methods = try optionalStrings("methods", maximum: 64) ?? []
    if member("methods") == .array([]) { throw fault("methods", "must not be empty") }
    for (index, method) in limits.methods.enumerated() where !HeaderRules.isToken(method) {
      throw .invalidParams("\(path("methods"))[\(index)]", "is not an HTTP method")
    }
    limits.maximumUses = try optionalInteger("maximumUses", in: 1...1_000_000_000).map(Int.init)
    limits.confirm = try optionalBool("confirm") ?? false
    return limits
  }

  /// The protection spaces that a caller names: two for the method `default`, which stands for Basic and Digest.
  package mutating func protectionSpaces(_ name: String) throws(RPCError) -> [ProtectionSpace] {
    try object(name) { reader throws(RPCError) in
      let scheme = try reader.enumeration("protocol", WebScheme.self)
      let host = try reader.string("host", maximumBytes: 255).lowercased()
      guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
        throw reader.fault("host", "is not a host name")
      }
      let port = try reader.optionalInteger("port", in: 1...65_535).map { UInt16($0) }
      let realm =
        reader.member("realm") == .null ? nil : try reader.optionalString("realm", maximumBytes: 4096)
      let isProxy = try reader.optionalBool("isProxy") ?? false
      if reader.member("proxyType").map({ $0 != .null }) ?? false {
        throw reader.fault("proxyType", "not supported by this version")
      }
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
      let origin = Origin(scheme: scheme, host: host, port: port ?? scheme.defaultPort)
      return methods.map {
        ProtectionSpace(origin: origin, realm: realm, authenticationMethod: $0, isProxy: isProxy)
      }
    }
  }
}
