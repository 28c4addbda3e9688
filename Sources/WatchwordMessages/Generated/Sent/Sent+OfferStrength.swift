package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `OfferStrength` of the contract.
  package struct OfferStrength: SentObject {
    package let authenticationMethod: String
    /// Null except for Digest.
    package let algorithm: String?

    package init(authenticationMethod: String, algorithm: String?) {
      self.authenticationMethod = authenticationMethod
      self.algorithm = algorithm
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("authenticationMethod", authenticationMethod)
      writer.member("algorithm", algorithm)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      authenticationMethod = try object.member("authenticationMethod")
      algorithm = try object.member("algorithm")
    }
  }
}
