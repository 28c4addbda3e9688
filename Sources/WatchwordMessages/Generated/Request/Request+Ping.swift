package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `ping`. Answers at once.
  package struct Ping: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "ping"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
