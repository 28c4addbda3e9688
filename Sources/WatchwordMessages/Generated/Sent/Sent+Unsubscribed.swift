package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// That no more snapshots come.
  package struct Unsubscribed: SentObject {
    package let subscribed: Bool

    package init(subscribed: Bool) {
      self.subscribed = subscribed
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subscribed", subscribed)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subscribed = try object.member("subscribed")
    }
  }
}
