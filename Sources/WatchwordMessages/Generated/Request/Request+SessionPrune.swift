package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/prune`. Ends the named sessions of this uid that nobody uses.
  package struct SessionPrune: MethodRequest {
    package typealias Result = Sent.PrunedSessions
    package static let method = "session/prune"

    package let olderThanSeconds: Double?

    package init(olderThanSeconds: Double? = nil) {
      self.olderThanSeconds = olderThanSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let olderThanSeconds { writer.member("olderThanSeconds", olderThanSeconds) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      olderThanSeconds = try object.memberIfPresent("olderThanSeconds")
    }
  }
}
