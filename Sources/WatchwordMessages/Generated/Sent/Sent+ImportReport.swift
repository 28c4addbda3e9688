package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What became of what an export has.
  package struct ImportReport: SentObject {
    package let added: Int
    /// Older ones of the vault.
    package let replaced: Int
    /// Those that have expired, and those of whose users the vault has the same or a newer one.
    package let skipped: Int

    package init(added: Int, replaced: Int, skipped: Int) {
      self.added = added
      self.replaced = replaced
      self.skipped = skipped
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("added", added)
      writer.member("replaced", replaced)
      writer.member("skipped", skipped)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      added = try object.member("added")
      replaced = try object.member("replaced")
      skipped = try object.member("skipped")
    }
  }
}
