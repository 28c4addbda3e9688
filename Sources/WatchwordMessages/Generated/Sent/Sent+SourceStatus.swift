package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A source of credentials that the administrator has configured.
  package struct SourceStatus: SentObject {
    /// Its name in the administrator's configuration.
    package let source: String
    package let kind: String
    /// Of oauth: whether it has a token that is valid.
    package let token: Bool?
    /// Of oauth with the grant deviceCode: whether a person has a code to enter now.
    package let awaitsPerson: Bool?
    package let validUntil: String?
    /// Why it gave nothing the last time (administrator.md 15.3.8).
    package let lastError: String?

    package init(
      source: String, kind: String, token: Bool?, awaitsPerson: Bool?, validUntil: String?, lastError: String?
    ) {
      self.source = source
      self.kind = kind
      self.token = token
      self.awaitsPerson = awaitsPerson
      self.validUntil = validUntil
      self.lastError = lastError
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("kind", kind)
      if let token { writer.member("token", token) }
      if let awaitsPerson { writer.member("awaitsPerson", awaitsPerson) }
      writer.member("validUntil", validUntil)
      writer.member("lastError", lastError)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      kind = try object.member("kind")
      token = try object.memberIfPresent("token")
      awaitsPerson = try object.memberIfPresent("awaitsPerson")
      validUntil = try object.member("validUntil")
      lastError = try object.member("lastError")
    }
  }
}
