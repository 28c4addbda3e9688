package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The certificate authorities of the caller's uid.
  package struct RootsStatus: SentObject {
    /// Their file, which may not exist; null when the daemon has no state directory.
    package let path: String?
    package let count: Int
    /// Why the file is not used, for a person.
    package let reason: String?

    package init(path: String?, count: Int, reason: String?) {
      self.path = path
      self.count = count
      self.reason = reason
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("count", count)
      writer.member("reason", reason)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      count = try object.member("count")
      reason = try object.member("reason")
    }
  }
}
