package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What restricts connections of a session.
  package struct AddedRestriction: SentObject {
    package let session: String
    /// Its id, as in status.
    package let restriction: String

    package init(session: String, restriction: String) {
      self.session = session
      self.restriction = restriction
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
      writer.member("restriction", restriction)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
      restriction = try object.member("restriction")
    }
  }
}
