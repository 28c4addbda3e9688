package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Further roots, or other ones.
  package struct SessionConfigurationTlsRoots: SentObject {
    /// Certificates in PEM, 512 at most.
    package let certificates: String
    /// Only these roots instead of these and the system's.
    package let exclusive: Bool?

    package init(certificates: String, exclusive: Bool? = nil) {
      self.certificates = certificates
      self.exclusive = exclusive
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
      if let exclusive { writer.member("exclusive", exclusive) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      certificates = try object.member("certificates")
      exclusive = try object.memberIfPresent("exclusive")
    }
  }
}
