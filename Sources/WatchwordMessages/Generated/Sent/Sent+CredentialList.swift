package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The credentials of a session.
  package struct CredentialList: SentObject {
    package let credentials: [Encoded<Sent.StoredCredential>]

    package init(credentials: [Encoded<Sent.StoredCredential>]) {
      self.credentials = credentials
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("credentials", credentials)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentials = try object.member("credentials")
    }
  }
}
