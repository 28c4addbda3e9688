package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A certificate authority of the user.
  package struct Root: SentObject {
    /// RFC 4514.
    package let subject: String
    /// RFC 4514.
    package let issuer: String
    package let notBefore: String
    package let notAfter: String
    /// Of the certificate; trust/removeRoots takes it.
    package let sha256: String

    package init(subject: String, issuer: String, notBefore: String, notAfter: String, sha256: String) {
      self.subject = subject
      self.issuer = issuer
      self.notBefore = notBefore
      self.notAfter = notAfter
      self.sha256 = sha256
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("subject", subject)
      writer.member("issuer", issuer)
      writer.member("notBefore", notBefore)
      writer.member("notAfter", notAfter)
      writer.member("sha256", sha256)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      subject = try object.member("subject")
      issuer = try object.member("issuer")
      notBefore = try object.member("notBefore")
      notAfter = try object.member("notAfter")
      sha256 = try object.member("sha256")
    }
  }
}
