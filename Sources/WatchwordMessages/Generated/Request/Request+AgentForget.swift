package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `agent/forget`. Clears the memory of the caller's uid: credentials, decisions,
  /// identities, cookies and tickets of every session, and what is decrypted of the vault.
  package struct AgentForget: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "agent/forget"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
