package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `status/subscribe`. Sends status/didChange from now on, at most once per interval and
  /// only after changes.
  package struct StatusSubscribe: MethodRequest {
    package typealias Result = Sent.Subscribed
    package static let method = "status/subscribe"

    package let intervalSeconds: Double?

    package init(intervalSeconds: Double? = nil) {
      self.intervalSeconds = intervalSeconds
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let intervalSeconds { writer.member("intervalSeconds", intervalSeconds) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      intervalSeconds = try object.memberIfPresent("intervalSeconds")
    }
  }
}
