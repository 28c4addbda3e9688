package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `identity/tokens`. Lists the certificates of the tokens that the daemon's PKCS#11
  /// modules have, each with the URI that names its key.
  package struct IdentityTokens: MethodRequest {
    package typealias Result = Sent.TokenList
    package static let method = "identity/tokens"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
