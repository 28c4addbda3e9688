package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How much a session has lost by a change of its settings.
  package struct DroppedFromSession: SentObject {
    /// Credentials of the session.
    package let credentials: Int
    /// Decisions about servers.
    package let trust: Int
    /// Client certificates of the session.
    package let identities: Int
    /// Cookies.
    package let cookies: Int

    package init(credentials: Int, trust: Int, identities: Int, cookies: Int) {
      self.credentials = credentials
      self.trust = trust
      self.identities = identities
      self.cookies = cookies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
      writer.member("trust", trust)
      writer.member("identities", identities)
      writer.member("cookies", cookies)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
      trust = try object.member("trust")
      identities = try object.member("identities")
      cookies = try object.member("cookies")
    }
  }
}
