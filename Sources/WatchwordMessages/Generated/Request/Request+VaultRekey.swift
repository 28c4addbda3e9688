package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `vault/rekey`. Seals every record of the vault under a new data key.
  package struct VaultRekey: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/rekey"

    /// What opens the vault without a person from now on; left out, what did.
    package let opener: String?

    package init(opener: String? = nil) {
      self.opener = opener
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let opener { writer.member("opener", opener) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      opener = try object.memberIfPresent("opener")
    }
  }
}
