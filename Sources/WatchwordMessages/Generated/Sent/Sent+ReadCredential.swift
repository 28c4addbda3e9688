package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What credential/read says beside the secret.
  package struct ReadCredential: SentObject {
    package let user: String?
    package let kind: String
    /// Bytes of the secret.
    package let size: Int
    /// Until its limits end it.
    package let secondsLeft: Double?

    package init(user: String?, kind: String, size: Int, secondsLeft: Double?) {
      self.user = user
      self.kind = kind
      self.size = size
      self.secondsLeft = secondsLeft
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("user", user)
      writer.member("kind", kind)
      writer.member("size", size)
      writer.member("secondsLeft", secondsLeft)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      user = try object.member("user")
      kind = try object.member("kind")
      size = try object.member("size")
      secondsLeft = try object.member("secondsLeft")
    }
  }
}
