package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The user that the session would use, or the one that was just refused. Never a secret.
  package struct ProposedCredential: SentObject {
    /// Null for a token, and for tickets.
    package let user: String?
    /// ambient: the tickets of the daemon's uid.
    package let source: String

    package init(user: String?, source: String) {
      self.user = user
      self.source = source
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("source", source)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      source = try object.member("source")
    }
  }
}
