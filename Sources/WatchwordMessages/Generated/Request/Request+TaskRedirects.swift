package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// How far the redirects of one task may lead.
  package struct TaskRedirects: SentObject {
    /// Redirects in the task.
    package let limit: Int?

    package init(limit: Int? = nil) {
      self.limit = limit
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let limit { writer.member("limit", limit) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      limit = try object.memberIfPresent("limit")
    }
  }
}
