package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `server/shutdown`. Stops the daemon. The daemon's uid or root only.
  package struct ServerShutdown: MethodRequest {
    package typealias Result = Sent.Stopping
    package static let method = "server/shutdown"

    /// Finish running tasks first.
    package let graceful: Bool?

    package init(graceful: Bool? = nil) {
      self.graceful = graceful
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let graceful { writer.member("graceful", graceful) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      graceful = try object.memberIfPresent("graceful")
    }
  }
}
