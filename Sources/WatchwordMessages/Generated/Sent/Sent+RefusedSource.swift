package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// One of the administrator's sources whose credential a server has refused.
  package struct RefusedSource: SentObject {
    /// Its name in the administrator's configuration.
    package let source: String
    package let protectionSpace: Sent.ProtectionSpaceName
    /// It is not read before this time, unless credential/retry ends the pause. Left out: it is read when it
    /// is needed.
    package let readAfter: String?

    package init(source: String, protectionSpace: Sent.ProtectionSpaceName, readAfter: String?) {
      self.source = source
      self.protectionSpace = protectionSpace
      self.readAfter = readAfter
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("protectionSpace", protectionSpace)
      if let readAfter { writer.member("readAfter", readAfter) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      protectionSpace = try object.member("protectionSpace")
      readAfter = try object.memberIfPresent("readAfter")
    }
  }
}
