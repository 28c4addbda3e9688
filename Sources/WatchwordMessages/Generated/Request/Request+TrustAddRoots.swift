package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `trust/addRoots`. Adds certificate authorities of the user, which every session of the
  /// uid trusts beside the system's.
  package struct TrustAddRoots: MethodRequest {
    package typealias Result = Sent.RootAddition
    package static let method = "trust/addRoots"

    /// Certificates in PEM.
    package let certificates: String

    package init(certificates: String) {
      self.certificates = certificates
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      certificates = try object.member("certificates")
    }
  }
}
