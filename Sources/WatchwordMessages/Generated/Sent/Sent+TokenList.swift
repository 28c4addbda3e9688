package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Certificates of tokens.
  package struct TokenList: SentObject {
    /// Those that tokens show without login.
    package let identities: [Sent.TokenCertificate]

    package init(identities: [Sent.TokenCertificate]) {
      self.identities = identities
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("identities", identities)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      identities = try object.member("identities")
    }
  }
}
