package import WatchwordCore
internal import WatchwordJSON

/// `transportSecurity` of the daemon's configuration file.
///
/// `{"defaults": {rule}, "domains": [{"domain": "example.com", "includesSubdomains": true, …rule}]}`; the members of a
/// rule are those of ``TrustPolicy/Rule``.
extension TrustPolicy {
  /// More domains than a person keeps in one file.
  private static let maximumDomains = 4096

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init(
      defaults: try reader.optionalObject("defaults") { reader throws(RPCError) in try Rule(&reader) }
        ?? Rule(),
      domains: try reader.optionalArray("domains", maximum: TrustPolicy.maximumDomains, Domain.init) ?? [])
  }
}

extension TrustPolicy.Domain {
  fileprivate init(_ value: JSONValue, path: String) throws(RPCError) {
    guard case .object(let object) = value else {
      throw .invalidParams(path, "must be an object, not \(value.typeName)")
    }
    self = try ParameterReader.decode(object, path: path) { reader throws(RPCError) in
      guard let name = HostRules.normalized(try reader.string("domain", maximumBytes: 255)),
        HostRules.isName(name) || HostRules.isAddress(name)
      else {
        throw reader.fault("domain", "is not a host name or address")
      }
      let includesSubdomains = try reader.optionalBool("includesSubdomains") ?? false
      return TrustPolicy.Domain(
        HostPattern(name, includesSubdomains: includesSubdomains), try TrustPolicy.Rule(&reader))
    }
  }
}

extension TrustPolicy.Rule {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    self.init()
    allowsCleartext = try reader.optionalBool("allowsCleartext")
    allowsLooseningTrust = try reader.optionalBool("allowsLooseningTrust")
    minimumTLSVersion = try reader.optionalEnumeration("minimumTLSVersion")
    requiresForwardSecrecy = try reader.optionalBool("requiresForwardSecrecy")
    requiresRevocationCheck = try reader.optionalBool("requiresRevocationCheck")
    if reader.member("pinnedPublicKeys") != nil {
      pinnedPublicKeys = try reader.publicKeys("pinnedPublicKeys")
    }
  }
}
