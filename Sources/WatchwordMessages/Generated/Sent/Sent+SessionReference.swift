package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The session that a request was about.
  package struct SessionReference: SentObject {
    package let session: String

    package init(session: String) {
      self.session = session
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("session", session)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.member("session")
    }
  }
}
