package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// That a reply counts.
  package struct AcceptedReply: SentObject {
    package let accepted: Bool

    package init(accepted: Bool) {
      self.accepted = accepted
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("accepted", accepted)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      accepted = try object.member("accepted")
    }
  }
}
