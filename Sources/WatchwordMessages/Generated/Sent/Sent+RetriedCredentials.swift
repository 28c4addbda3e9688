package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How many refused credentials may be sent once more.
  package struct RetriedCredentials: SentObject {
    package let retried: Int

    package init(retried: Int) {
      self.retried = retried
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("retried", retried)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      retried = try object.member("retried")
    }
  }
}
