package import WatchwordJSON

/// `vault/check`: whether the vault is whole.
package enum VaultCheck {
  /// - Parameter complaint: SQLite's; nil: none.
  package static func write(
    records: Int, credentials: Int, trust: Int, identities: Int, unreadable: Int, complaint: String?,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("records", records)
    writer.member("credentials", credentials)
    writer.member("trust", trust)
    writer.member("identities", identities)
    writer.member("unreadable", unreadable)
    writer.member("complaint", complaint)
    writer.endObject()
  }
}
