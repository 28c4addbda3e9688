package import WatchwordJSON

/// `vault/check`: whether the vault is whole.
package enum VaultCheck {
  /// - Parameter complaint: SQLite's; nil: none.
  package static func write(
    records: Int, unreadable: Int, complaint: String?, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("records", records)
    writer.member("unreadable", unreadable)
    writer.member("complaint", complaint)
    writer.endObject()
  }
}
