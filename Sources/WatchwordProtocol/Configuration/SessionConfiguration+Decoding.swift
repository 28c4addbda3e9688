internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

extension SessionConfiguration {
  /// What in it does not count, for a person.
  package var warnings: [String] {
    (netrc?.unknownLines ?? []).map { "netrc: line \($0) has an unknown word, which is passed over" }
  }
}

extension Parameter {
  /// A session's settings; nil when there are none. One that this version does not support is refused, never
  /// ignored.
  func sessionConfiguration() throws(RPCError) -> SessionConfiguration? {
    if value.kind == .object, value.count == 0 { return nil }
    let given = try object(SessionConfigurationMembers.init)
    switch given.netrc.map({ ($0.text != nil, $0.base64 != nil) }) {
    case (false, false)?: throw .invalidParams("\(path).netrc.text", "is missing")
    case (true, true)?: throw .invalidParams("\(path).netrc.base64", "goes without text")
    case (true, false)?, (false, true)?, nil: break
    }
    let configuration = SessionConfiguration(given)
    try configuration.requireVersions(path)
    return configuration
  }

  func netrc(maximumBytes: Int) throws(RPCError) -> Netrc { try netrc(secret(maximumBytes: maximumBytes)) }

  /// In base64: its passwords need not be UTF-8.
  func netrcOctets(maximumBytes: Int) throws(RPCError) -> Netrc {
    guard let octets = Secret.decoded(try secret(maximumBytes: maximumBytes)) else {
      throw fault("is not base64")
    }
    return try netrc(octets)
  }

  private func netrc(_ text: Secret) throws(RPCError) -> Netrc {
    do throws(NetrcFault) {
      return try Netrc(text: text)
    } catch {
      throw fault("line \(error.line): \(error.kind.rawValue)")
    }
  }

  func httpVersions(
    maximum: Int, minimum: Int
  ) throws(RPCError) -> [SessionConfiguration.HTTPVersion] {
    let versions = try array(maximum: maximum, minimum: minimum) { element throws(RPCError) in
      guard let text = element.value.text,
        let version = SessionConfiguration.HTTPVersion(rawValue: text)
      else { throw element.fault(Parameter.choices(SessionConfiguration.HTTPVersion.self)) }
      return version
    }
    guard Set(versions).count == versions.count else { throw fault("names one twice") }
    // HTTP/1.1 is used with a server that lacks HTTP/2; this version cannot forbid it.
    guard versions.contains(.http11) else { throw fault("1.1 cannot be left out") }
    return versions
  }

  /// Takes only the word `none`.
  func onlyNone() throws(RPCError) -> String {
    guard isWord("none") else { throw fault("not supported by this version") }
    return "none"
  }

  func offerOrder() throws(RPCError) -> MethodPolicy.Order {
    if isWord("serverOrder") { return .server }
    return .list(try offerMethods(maximum: MethodPolicy.defaultOrder.count))
  }

  /// Methods that answer a 401 or 407; each once.
  func offerMethods(maximum: Int) throws(RPCError) -> [AuthenticationMethod] {
    let choices = MethodPolicy.defaultOrder
    var seen: Set<AuthenticationMethod> = []
    return try array(maximum: maximum) { element throws(RPCError) in
      guard let text = element.value.text,
        let method = choices.first(where: { $0.rawValue == text })
      else { throw element.fault("must be one of " + choices.map(\.rawValue).joined(separator: ", ")) }
      guard seen.insert(method).inserted else { throw element.fault("is there twice") }
      return method
    }
  }

  /// Every member is `host:port` and an address.
  func resolutions(maximum: Int) throws(RPCError) -> [SessionConfiguration.Resolution] {
    try object { reader throws(RPCError) in
      var resolutions: [SessionConfiguration.Resolution] = []
      for member in try reader.members(maximum: maximum) {
        let name = member.name
        let address = try member.value.string(maximumBytes: Int.max)
        guard address.utf8.count <= 64, name.contains(":"), !address.isEmpty, HeaderRules.isValue(name),
          !name.utf8.contains(UInt8(ascii: ",")),
          address.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ",") })
        else { throw member.value.fault("must be \"host:port\": \"address\"") }
        resolutions.append(SessionConfiguration.Resolution(hostAndPort: name, address: address))
      }
      return resolutions
    }
  }
}

extension SessionConfiguration {
  /// - Parameter path: of the configuration.
  func requireVersions(_ path: String) throws(RPCError) {
    guard tls.minimumVersion == .tls13, tls.maximumVersion == .tls12 else { return }
    throw .invalidParams("\(path).tls.maximumVersion", "is below minimumVersion")
  }

  fileprivate init(_ given: SessionConfigurationMembers) {
    self.init()
    credentialStorage = given.credentialStorage
    if let methods = given.methods { self.methods.set(methods) }
    if let challenges = given.challenges {
      self.challenges.deadlineSeconds = challenges.deadlineSeconds
      self.challenges.unanswered = challenges.unanswered
      self.challenges.refusalBudget = challenges.refusalBudget
    }
    if let tls = given.tls { self.tls.set(tls) }
    proxies = given.proxies ?? proxies
    if let redirects = given.redirects {
      self.redirects.mode = redirects.policy
      self.redirects.limit = redirects.limit
      self.redirects.allowsDowngrade = redirects.allowDowngrade
    }
    timeouts.connectSeconds = given.timeouts?.connectSeconds ?? timeouts.connectSeconds
    timeouts.requestSeconds = given.timeouts?.requestSeconds ?? timeouts.requestSeconds
    timeouts.resourceSeconds = given.timeouts?.resourceSeconds ?? timeouts.resourceSeconds
    headers = given.headers ?? headers
    cookies = given.cookies
    idleSeconds = given.idleSeconds
    connectionsPerHost = given.connectionsPerHost
    httpVersions = given.httpVersions ?? httpVersions
    if let limits = given.limits {
      self.limits.inlineBodyBytes = Int64(limits.inlineBodyBytes)
      self.limits.memoryBodyBytes = Int64(limits.memoryBodyBytes)
      self.limits.decodedBodyBytes = limits.decodedBodyBytes.map { Int64($0) }
    }
    if let addresses = given.addresses {
      self.addresses.resolve = addresses.resolve ?? []
      self.addresses.allowOrigins = addresses.allowOrigins
      self.addresses.refusePrivate = addresses.refusePrivate
    }
    netrc = given.netrc?.text ?? given.netrc?.base64
    forms = given.forms
  }
}

extension MethodPolicy {
  fileprivate mutating func set(_ given: SessionConfigurationMembers.Methods) {
    order = given.order ?? order
    disabled = given.disabled.map { Set($0) } ?? disabled
    basicOverCleartext = given.basicOverCleartext
    strongestOnly = given.strongestOnly
    if let given = given.digest { digest.preemptive = given.preemptive }
    guard let given = given.negotiate else { return }
    negotiate.ambientOrigins = given.ambientOrigins
    negotiate.delegates = given.delegate
    negotiate.allowsNTLM = given.allowNTLM
  }
}

extension SessionConfiguration.TLS {
  fileprivate mutating func set(_ given: SessionConfigurationMembers.TLS) {
    roots = given.roots?.certificates
    rootsAreExclusive = given.roots?.exclusive ?? false
    minimumVersion = given.minimumVersion
    maximumVersion = given.maximumVersion
    pins = PinSet(given.pins)
    revocation = given.revocation
    revocationLists = given.revocationLists
  }
}

extension Parameter {
  /// `proxies` of a session or a task: `environment`, `none`, or the proxies by their URLs.
  func proxies() throws(RPCError) -> SessionConfiguration.Proxies {
    if isWord("environment") { return .environment }
    if isWord("none") { return SessionConfiguration.Proxies.none }
    guard value.kind == .object else {
      throw fault("must be environment, none, or an object with http, https, all and except")
    }
    let given = try object(ProxiesMembers.init)
    let except = given.except ?? []
    for (index, text) in except.enumerated() where ProxyException(text) == nil {
      throw .invalidParams(
        "\(path).except[\(index)]", "must be a name, an address or a network, perhaps with a port, or *")
    }
    var list = SessionConfiguration.ProxyList()
    list.http = given.http
    list.https = given.https
    list.all = given.all
    list.except = except
    return .listed(list)
  }
}
