package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

extension SessionConfiguration {
  /// Decodes `configuration`; a setting that this version does not support is refused, never ignored.
  package init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    credentialStorage = try reader.optionalEnumeration("credentialStorage") ?? credentialStorage
    methods =
      try reader.optionalObject("methods") { reader throws(RPCError) in try MethodPolicy(&reader) } ?? methods
    challenges =
      try reader.optionalObject("challenges") { reader throws(RPCError) in try Challenges(&reader) }
      ?? challenges
    tls = try reader.optionalObject("tls") { reader throws(RPCError) in try TLS(&reader) } ?? tls
    proxies = try reader.proxies("proxies") ?? proxies
    redirects =
      try reader.optionalObject("redirects") { reader throws(RPCError) in try RedirectPolicy(&reader) }
      ?? redirects
    timeouts =
      try reader.optionalObject("timeouts") { reader throws(RPCError) in try Timeouts(&reader) } ?? timeouts
    headers = try reader.optionalHeaders("headers") ?? headers
    cookies = try reader.optionalEnumeration("cookies") ?? cookies
    idleSeconds = try reader.optionalSeconds("idleSeconds") ?? idleSeconds
    connectionsPerHost =
      try reader.optionalInteger("connectionsPerHost", in: 1...256).map(Int.init) ?? connectionsPerHost
    httpVersions = try SessionConfiguration.httpVersions(&reader) ?? httpVersions
    limits = try reader.optionalObject("limits") { reader throws(RPCError) in try Limits(&reader) } ?? limits
    addresses =
      try reader.optionalObject("addresses") { reader throws(RPCError) in try Addresses(&reader) }
      ?? addresses
    try reader.require("cache", [.string("none")])
    netrc = try SessionConfiguration.netrc(&reader)
    forms = try reader.optionalForms("forms") ?? forms
  }

  private static func netrc(_ reader: inout ParameterReader) throws(RPCError) -> Netrc? {
    guard reader.member("netrc") != .null else { return nil }
    return try reader.optionalObject("netrc") { reader throws(RPCError) in
      guard let text = try reader.optionalSecret("text") else { throw reader.fault("text", "is missing") }
      do throws(NetrcFault) {
        return try Netrc(text: text)
      } catch {
        throw reader.fault("text", "line \(error.line): \(error.kind.rawValue)")
      }
    }
  }

  private static func httpVersions(_ reader: inout ParameterReader) throws(RPCError) -> [HTTPVersion]? {
    let versions = try reader.optionalArray("httpVersions", maximum: 2) { value, path throws(RPCError) in
      guard case .string(let text) = value, let version = HTTPVersion(rawValue: text) else {
        throw .invalidParams(path, ParameterReader.choices(HTTPVersion.self))
      }
      return version
    }
    if let versions {
      guard !versions.isEmpty else { throw reader.fault("httpVersions", "is empty") }
      guard Set(versions).count == versions.count else {
        throw reader.fault("httpVersions", "names one twice")
      }
      // HTTP/1.1 is used with a server that lacks HTTP/2; this version cannot forbid it.
      guard versions.contains(.http11) else { throw reader.fault("httpVersions", "1.1 cannot be left out") }
    }
    return versions
  }
}

extension ParameterReader {
  /// Takes a member only with a value that this version supports.
  fileprivate mutating func require(_ name: String, _ allowed: [JSONValue]) throws(RPCError) {
    guard let value = member(name), !allowed.contains(value) else { return }
    throw fault(name, "not supported by this version")
  }
}

extension MethodPolicy {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    if reader.member("order") == .string("serverOrder") {
      order = .server
    } else if let list = try reader.authenticationMethods("order") {
      order = .list(list)
    }
    if let list = try reader.authenticationMethods("disabled") { disabled = Set(list) }
    basicOverCleartext = try reader.optionalBool("basicOverCleartext") ?? basicOverCleartext
    strongestOnly = try reader.optionalBool("strongestOnly") ?? strongestOnly
    negotiate =
      try reader.optionalObject("negotiate") { reader throws(RPCError) in try Negotiate(&reader) }
      ?? negotiate
  }
}

extension MethodPolicy.Negotiate {
  /// Origins that a person would list.
  private static let maximumOrigins = 1024

  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    ambientOrigins = try reader.optionalStrings("ambientOrigins", maximum: Self.maximumOrigins) ?? []
    delegates = try reader.optionalBool("delegate") ?? delegates
    allowsNTLM = try reader.optionalBool("allowNTLM") ?? allowsNTLM
  }
}

extension ParameterReader {
  /// Methods that answer a 401 or 407; each once.
  fileprivate mutating func authenticationMethods(_ name: String) throws(RPCError) -> [AuthenticationMethod]?
  {
    let choices = MethodPolicy.defaultOrder
    var seen: Set<AuthenticationMethod> = []
    return try optionalArray(name, maximum: choices.count) { value, path throws(RPCError) in
      guard case .string(let text) = value, let method = choices.first(where: { $0.rawValue == text }) else {
        throw .invalidParams(path, "must be one of " + choices.map(\.rawValue).joined(separator: ", "))
      }
      guard seen.insert(method).inserted else { throw .invalidParams(path, "is there twice") }
      return method
    }
  }
}

extension SessionConfiguration.Challenges {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    deadlineSeconds = try reader.optionalNumber("deadlineSeconds", in: 0.001...86_400) ?? deadlineSeconds
    unanswered = try reader.optionalEnumeration("unanswered") ?? unanswered
    refusalBudget = try reader.optionalInteger("refusalBudget", in: 1...100).map(Int.init) ?? refusalBudget
  }
}

extension SessionConfiguration.TLS {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    if reader.member("roots") != .null,
      let (certificates, isExclusive) = try reader.optionalObject(
        "roots",
        { reader throws(RPCError) in
          (
            try reader.string("certificates", maximumBytes: 1_048_576),
            try reader.optionalBool("exclusive") ?? false
          )
        })
    {
      roots = certificates
      rootsAreExclusive = isExclusive
    }
    minimumVersion = try reader.optionalEnumeration("minimumVersion") ?? minimumVersion
    maximumVersion = try reader.optionalEnumeration("maximumVersion") ?? maximumVersion
    guard minimumVersion == .tls12 || maximumVersion == .tls13 else {
      throw reader.fault("maximumVersion", "is below minimumVersion")
    }
    pins = try PinSet(&reader, "pins") ?? pins
    revocation = try reader.optionalEnumeration("revocation") ?? revocation
    if reader.member("revocationLists") != .null {
      revocationLists = try reader.optionalString("revocationLists", maximumBytes: 1_048_576)
    }
  }
}

extension RedirectPolicy {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    mode = try reader.optionalEnumeration("policy") ?? mode
    limit = try reader.optionalInteger("limit", in: 0...20).map(Int.init) ?? limit
    allowsDowngrade = try reader.optionalBool("allowDowngrade") ?? allowsDowngrade
  }
}

extension SessionConfiguration.Timeouts {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    connectSeconds = try reader.optionalTimeout("connectSeconds") ?? connectSeconds
    requestSeconds = try reader.optionalTimeout("requestSeconds") ?? requestSeconds
    resourceSeconds = try reader.optionalTimeout("resourceSeconds") ?? resourceSeconds
  }
}

extension SessionConfiguration.Limits {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    inlineBodyBytes = try reader.optionalInteger("inlineBodyBytes", in: 0...67_108_864) ?? inlineBodyBytes
    memoryBodyBytes =
      try reader.optionalInteger("memoryBodyBytes", in: 0...Int64.max) ?? memoryBodyBytes
    if reader.member("decodedBodyBytes") != .null {
      decodedBodyBytes = try reader.optionalInteger("decodedBodyBytes", in: 0...Int64.max)
    }
  }
}

extension SessionConfiguration.Addresses {
  /// Names that a session resolves itself.
  fileprivate static let maximumResolutions = 4096

  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    resolve =
      try reader.optionalObject("resolve") { reader throws(RPCError) in try reader.resolutions() } ?? []
    if reader.member("allowOrigins") != .null { allowOrigins = try reader.optionalStrings("allowOrigins") }
    refusePrivate = try reader.optionalBool("refusePrivate") ?? refusePrivate
  }
}

extension ParameterReader {
  /// Every member is `host:port` and an address.
  fileprivate mutating func resolutions() throws(RPCError) -> [SessionConfiguration.Resolution] {
    var resolutions: [SessionConfiguration.Resolution] = []
    for member in try members(maximum: SessionConfiguration.Addresses.maximumResolutions) {
      let name = member.name
      guard case .string(let address) = member.value else {
        throw fault(member.shortName, "must be a string, not \(member.value.typeName)")
      }
      guard address.utf8.count <= 64, name.contains(":"), !address.isEmpty, HeaderRules.isValue(name),
        !name.utf8.contains(UInt8(ascii: ",")),
        address.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ",") })
      else { throw fault(member.shortName, "must be \"host:port\": \"address\"") }
      resolutions.append(SessionConfiguration.Resolution(hostAndPort: name, address: address))
    }
    return resolutions
  }
}
