package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/list`. Lists the sessions of this uid that this connection may see.
  package struct SessionList: MethodRequest {
    package typealias Result = Sent.SessionList
    package static let method = "session/list"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
