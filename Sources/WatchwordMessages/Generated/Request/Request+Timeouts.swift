package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// They do not run while the task waits for a reply to a challenge or to a redirect.
  package struct Timeouts: SentObject {
    /// Until connected, TLS included.
    package let connectSeconds: Double?
    /// Without a byte of progress.
    package let requestSeconds: Double?
    /// For the whole task, without the time in which it waits for a reply or is suspended.
    package let resourceSeconds: Double?

    package init(
      connectSeconds: Double? = nil, requestSeconds: Double? = nil, resourceSeconds: Double? = nil
    ) {
      self.connectSeconds = connectSeconds
      self.requestSeconds = requestSeconds
      self.resourceSeconds = resourceSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let connectSeconds { writer.member("connectSeconds", connectSeconds) }
      if let requestSeconds { writer.member("requestSeconds", requestSeconds) }
      if let resourceSeconds { writer.member("resourceSeconds", resourceSeconds) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      connectSeconds = try object.memberIfPresent("connectSeconds")
      requestSeconds = try object.memberIfPresent("requestSeconds")
      resourceSeconds = try object.memberIfPresent("resourceSeconds")
    }
  }
}
