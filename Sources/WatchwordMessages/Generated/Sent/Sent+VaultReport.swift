package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What a reading of the whole vault has found.
  package struct VaultReport: SentObject {
    /// Those that open, and one beside the decisions.
    package let records: Int
    package let credentials: Int
    /// Decisions about servers' certificates.
    package let trust: Int
    /// Client certificates with their keys.
    package let identities: Int
    /// Records that do not open, or that this version does not understand.
    package let unreadable: Int
    /// SQLite's, about the file, or null.
    package let complaint: String?

    package init(
      records: Int, credentials: Int, trust: Int, identities: Int, unreadable: Int, complaint: String?
    ) {
      self.records = records
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.unreadable = unreadable
      self.complaint = complaint
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("records", records)
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("unreadable", unreadable)
      writer.member("complaint", complaint)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      records = try object.member("records")
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      unreadable = try object.member("unreadable")
      complaint = try object.member("complaint")
    }
  }
}
