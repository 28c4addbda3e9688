package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Decisions about servers' certificates.
  package struct TrustList: SentObject {
    /// Those of the session, then the permanent ones.
    package let trust: [Sent.TrustDecision]

    package init(trust: [Sent.TrustDecision]) {
      self.trust = trust
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("trust", trust)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      trust = try object.member("trust")
    }
  }
}
