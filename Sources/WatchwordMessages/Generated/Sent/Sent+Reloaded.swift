package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// That the daemon has read its configuration.
  package struct Reloaded: SentObject {
    package let reloaded: Bool

    package init(reloaded: Bool) {
      self.reloaded = reloaded
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("reloaded", reloaded)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      reloaded = try object.member("reloaded")
    }
  }
}
