package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How redirects would be treated.
  package struct ExplainedRedirects: SentObject {
    package let policy: String
    package let limit: Int

    package init(policy: String, limit: Int) {
      self.policy = policy
      self.limit = limit
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("policy", policy)
      writer.member("limit", limit)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      policy = try object.member("policy")
      limit = try object.member("limit")
    }
  }
}
