package import WatchwordJSON

/// `vault/export` and `vault/import`: the permanent credentials, decisions and identities of the account in a
/// file.
package enum VaultTransfer {
  package static func write(exported: Int, trust: Int, identities: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("credentials", exported)
    writer.member("trust", trust)
    writer.member("identities", identities)
    writer.endObject()
  }

  /// - Parameter skipped: those that are over, and those in whose place the vault has a newer one or the same.
  package static func write(added: Int, replaced: Int, skipped: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("added", added)
    writer.member("replaced", replaced)
    writer.member("skipped", skipped)
    writer.endObject()
  }
}
