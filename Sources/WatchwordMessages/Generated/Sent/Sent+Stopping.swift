package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// That the daemon stops.
  package struct Stopping: SentObject {
    package let stopping: Bool

    package init(stopping: Bool) {
      self.stopping = stopping
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("stopping", stopping)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      stopping = try object.member("stopping")
    }
  }
}
