package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `trust/listRoots`. Lists the certificate authorities of the user.
  package struct TrustListRoots: MethodRequest {
    package typealias Result = Sent.RootList
    package static let method = "trust/listRoots"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
