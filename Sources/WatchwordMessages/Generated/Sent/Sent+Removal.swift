package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How many there were of what is removed.
  package struct Removal: SentObject {
    package let removed: Int

    package init(removed: Int) {
      self.removed = removed
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("removed", removed)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      removed = try object.member("removed")
    }
  }
}
