package import WatchwordCore
internal import WatchwordJSON

/// `transportSecurity` of the daemon's configuration file.
///
/// `{"defaults": {rule}, "domains": [{"domain": "example.com", "includesSubdomains": true, …rule}]}`; the members of a
/// rule are those of ``TrustPolicy/Rule``.
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
