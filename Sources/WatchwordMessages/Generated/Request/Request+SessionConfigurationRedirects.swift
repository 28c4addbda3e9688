package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// What a 3xx does (messages.md, section 9).
  package struct SessionConfigurationRedirects: SentObject {
    /// follow; manual: deliver the 3xx; ask: task/willRedirect.
    package let policy: String?
    /// Redirects in one task.
    package let limit: Int?
    /// Whether https may lead to http.
    package let allowDowngrade: Bool?

    package init(policy: String? = nil, limit: Int? = nil, allowDowngrade: Bool? = nil) {
      self.policy = policy
      self.limit = limit
      self.allowDowngrade = allowDowngrade
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let policy { writer.member("policy", policy) }
      if let limit { writer.member("limit", limit) }
      if let allowDowngrade { writer.member("allowDowngrade", allowDowngrade) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      policy = try object.memberIfPresent("policy")
      limit = try object.memberIfPresent("limit")
      allowDowngrade = try object.memberIfPresent("allowDowngrade")
    }
  }
}
