package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `status/unsubscribe`. Ends the subscription.
  package struct StatusUnsubscribe: MethodRequest {
    package typealias Result = Sent.Unsubscribed
    package static let method = "status/unsubscribe"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
