package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What was decided for the session to present an origin with, when it asks for these authorities.
  package struct IdentityDecision: SentObject {
    /// When it asks for these.
    package let distinguishedNames: [String]
    /// identity: the one with the id. default: default handling.
    package let choice: String
    package let identity: String?

    package init(distinguishedNames: [String], choice: String, identity: String?) {
      self.distinguishedNames = distinguishedNames
      self.choice = choice
      self.identity = identity
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("distinguishedNames", distinguishedNames)
      writer.member("choice", choice)
      writer.member("identity", identity)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      distinguishedNames = try object.member("distinguishedNames")
      choice = try object.member("choice")
      identity = try object.member("identity")
    }
  }
}
