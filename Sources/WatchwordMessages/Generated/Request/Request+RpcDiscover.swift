package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `rpc.discover`. Returns this document.
  package struct RpcDiscover: MethodRequest {
    package typealias Result = JSONValue
    package static let method = "rpc.discover"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
