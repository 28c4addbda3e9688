package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// `transportSecurity` of the daemon's configuration file.
///
/// `{"defaults": {rule}, "domains": [{"domain": "example.com", "includesSubdomains": true, …rule}]}`; the
/// members of a rule are those of ``TrustPolicy/Rule``.
extension TrustPolicy {
  /// More domains than a person keeps in one file.
  private static let maximumDomains = 4096

  package convenience init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init(
      defaults: try reader["defaults"]?.object(Rule.init) ?? Rule(),
      domains: try reader["domains"]?.array(maximum: TrustPolicy.maximumDomains) {
        element throws(RPCError) in try element.object(Domain.init)
      } ?? [])
  }
}

extension TrustPolicy.Domain {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    guard let name = HostRules.normalized(try reader.required("domain").string(maximumBytes: 255)),
      HostRules.isName(name) || HostRules.isAddress(name)
    else {
      throw reader.fault("domain", "is not a host name or address")
    }
    let includesSubdomains = try reader["includesSubdomains"]?.bool() ?? false
    self.init(HostPattern(name, includesSubdomains: includesSubdomains), try TrustPolicy.Rule(&reader))
  }
}

extension TrustPolicy.Rule {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    allowsCleartext = try reader["allowsCleartext"]?.bool()
    allowsLooseningTrust = try reader["allowsLooseningTrust"]?.bool()
    minimumTLSVersion = try reader["minimumTLSVersion"]?.enumeration(SessionConfiguration.TLSBound.self)
    requiresForwardSecrecy = try reader["requiresForwardSecrecy"]?.bool()
    requiresRevocationCheck = try reader["requiresRevocationCheck"]?.bool()
    pinnedPublicKeys = try reader["pinnedPublicKeys"]?.publicKeys() ?? pinnedPublicKeys
  }
}

/// `tls.pins`:
/// `[{"host": "*.example.com", "publicKeys": ["sha256/…"], "reportOnly": false, "excusable": true}]`.
extension PinSet {
  init(_ given: [SessionConfigurationMembers.TLS.Pin]) {
    self.init(
      given.map {
        Rule(
          host: $0.host, publicKeys: $0.publicKeys, isReportOnly: $0.reportOnly, isExcusable: $0.excusable)
      })
  }

  var value: JSONValue {
    .array(
      rules.map { rule in
        .object([
          "host": .string(rule.host.text),
          "publicKeys": .array(rule.publicKeys.map { .string($0.pin) }),
          "reportOnly": .bool(rule.isReportOnly), "excusable": .bool(rule.isExcusable),
        ])
      })
  }
}

extension Parameter {
  /// A host, `*.` and a name, for all hosts below that name, or `*` for every host.
  func hostPattern(maximumBytes: Int) throws(RPCError) -> HostPattern {
    let text = try string(maximumBytes: maximumBytes)
    if text == HostPattern.everyHost.text { return .everyHost }
    let isBelow = text.hasPrefix("*.")
    guard let host = HostRules.normalized(isBelow ? String(text.dropFirst(2)) : text),
      HostRules.isName(host) || (!isBelow && HostRules.isAddress(host))
    else {
      throw fault("is not a host name or address, nor * or *. and a name")
    }
    return HostPattern(text: (isBelow ? "*." : "") + host)
  }

  /// Keys in the form `sha256/` and base64 (RFC 7469 §2.1.1).
  func publicKeys(maximum: Int = 64, minimum: Int = 1) throws(RPCError) -> [Fingerprint] {
    try array(maximum: maximum, minimum: minimum) { element throws(RPCError) in try element.fingerprint() }
  }

  /// `sha256/` and base64, for certificates and chains as well as for keys.
  func fingerprint() throws(RPCError) -> Fingerprint {
    guard let fingerprint = Fingerprint(pin: try string(maximumBytes: Int.max)) else {
      throw fault("must be sha256/ and the base64 of 32 bytes")
    }
    return fingerprint
  }
}
