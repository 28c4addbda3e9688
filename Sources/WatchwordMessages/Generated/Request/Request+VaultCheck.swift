package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `vault/check`. Reads the whole vault.
  package struct VaultCheck: MethodRequest {
    package typealias Result = Sent.VaultReport
    package static let method = "vault/check"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
