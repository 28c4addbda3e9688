package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A certificate chain and what default evaluation says about it.
  package struct ServerTrust: SentObject {
    /// As presented, leaf first.
    package let certificates: [Sent.Certificate]
    package let verdict: String
    package let reasons: [Sent.TrustReason]

    package init(certificates: [Sent.Certificate], verdict: String, reasons: [Sent.TrustReason]) {
      self.certificates = certificates
      self.verdict = verdict
      self.reasons = reasons
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("certificates", certificates)
      writer.member("verdict", verdict)
      writer.member("reasons", reasons)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      certificates = try object.member("certificates")
      verdict = try object.member("verdict")
      reasons = try object.member("reasons")
    }
  }
}
