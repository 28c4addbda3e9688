package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Client identities.
  package struct IdentityList: SentObject {
    /// The session's own and then the permanent ones, of both the one added last first.
    package let identities: [Sent.Identity]

    package init(identities: [Sent.Identity]) {
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identities = try object.member("identities")
    }
  }
}
