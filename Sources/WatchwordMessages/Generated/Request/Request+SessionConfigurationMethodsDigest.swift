package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// What Digest may do.
  package struct SessionConfigurationMethodsDigest: SentObject {
    /// Whether a nonce that has served goes with the next request, before the server asks (methods.md 8.8).
    package let preemptive: String?

    package init(preemptive: String? = nil) {
      self.preemptive = preemptive
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let preemptive { writer.member("preemptive", preemptive) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      preemptive = try object.memberIfPresent("preemptive")
    }
  }
}
