package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A client identity that a session or the vault has.
  package struct AddedIdentity: SentObject {
    /// Its id, which is made from the certificate.
    package let identity: String

    package init(identity: String) {
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identity", identity)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identity = try object.member("identity")
    }
  }
}
