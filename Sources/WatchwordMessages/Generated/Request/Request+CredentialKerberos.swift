package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `CredentialKerberos` of the contract.
  package struct CredentialKerberos: SentObject {
    /// default: the tickets of the daemon's uid, for sessions of that uid; another name: a cache of the
    /// administrator's; or the contents of a cache.
    package let cache: TextOr<Request.FileContents>?
    /// The name of a keytab of the administrator's, which has its principal, or the contents of a keytab.
    package let keytab: TextOr<Request.FileContents>?
    /// With contents: the principal that logs in.
    package let principal: String?

    package init(
      cache: TextOr<Request.FileContents>? = nil, keytab: TextOr<Request.FileContents>? = nil,
      principal: String? = nil
    ) {
      self.cache = cache
      self.keytab = keytab
      self.principal = principal
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let cache { writer.member("cache", cache) }
      if let keytab { writer.member("keytab", keytab) }
      if let principal { writer.member("principal", principal) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      cache = try object.memberIfPresent("cache")
      keytab = try object.memberIfPresent("keytab")
      principal = try object.memberIfPresent("principal")
    }
  }
}
