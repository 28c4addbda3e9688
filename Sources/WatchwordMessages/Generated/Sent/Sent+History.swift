package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What became of the credentials and challenges of the caller's uid.
  package struct History: SentObject {
    /// Newest first (storage.md 7.3.1).
    package let entries: [Sent.HistoryEntry]

    package init(entries: [Sent.HistoryEntry]) {
      self.entries = entries
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("entries", entries)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      entries = try object.member("entries")
    }
  }
}
