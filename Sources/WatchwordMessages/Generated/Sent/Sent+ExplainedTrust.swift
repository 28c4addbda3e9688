package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How the certificate of an origin would be evaluated.
  package struct ExplainedTrust: SentObject {
    package let evaluation: String
    /// Those about this origin.
    package let decisions: [Sent.TrustDecision]
    /// The session's pins for this host, by their host patterns.
    package let pins: [String]
    /// The administrator's rules that bind this host, as they are named in the daemon's configuration.
    package let rules: [String]
    /// The user's certificate authority that the last accepted chain of this origin ended in; null when it
    /// was another one, or there was none.
    package let root: Sent.Root?

    package init(
      evaluation: String, decisions: [Sent.TrustDecision], pins: [String], rules: [String], root: Sent.Root?
    ) {
      self.evaluation = evaluation
      self.decisions = decisions
      self.pins = pins
      self.rules = rules
      self.root = root
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("evaluation", evaluation)
      writer.member("decisions", decisions)
      writer.member("pins", pins)
      writer.member("rules", rules)
      writer.member("root", root)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      evaluation = try object.member("evaluation")
      decisions = try object.member("decisions")
      pins = try object.member("pins")
      rules = try object.member("rules")
      root = try object.member("root")
    }
  }
}
