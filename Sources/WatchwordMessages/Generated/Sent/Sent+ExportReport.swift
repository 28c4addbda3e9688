package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What an export has.
  package struct ExportReport: SentObject {
    /// How many the file has.
    package let credentials: Int
    /// How many decisions about servers' certificates the file has.
    package let trust: Int
    /// How many client certificates with their keys the file has.
    package let identities: Int

    package init(credentials: Int, trust: Int, identities: Int) {
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
    }
  }
}
