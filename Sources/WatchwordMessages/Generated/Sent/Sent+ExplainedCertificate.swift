package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Which client certificate an origin could be presented with.
  package struct ExplainedCertificate: SentObject {
    /// What was decided for the session to present this origin with.
    package let decisions: [Sent.IdentityDecision]
    /// The identities that may go to this origin now, the session's own before the permanent ones. Default
    /// handling takes the first of them that fits what the server asks for, which is not known before.
    package let candidates: [String]

    package init(decisions: [Sent.IdentityDecision], candidates: [String]) {
      self.decisions = decisions
      self.candidates = candidates
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("decisions", decisions)
      writer.member("candidates", candidates)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      decisions = try object.member("decisions")
      candidates = try object.member("candidates")
    }
  }
}
