package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `status`. Returns one snapshot.
  package struct Status: MethodRequest {
    package typealias Result = Sent.StatusSnapshot
    package static let method = "status"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
