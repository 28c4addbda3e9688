package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `agent/lock`. Locks the agent of the caller's uid with a passphrase of its own, and
  /// clears its memory.
  package struct AgentLock: MethodRequest {
    package typealias Result = Sent.AgentLock
    package static let method = "agent/lock"

    /// Secret.
    package let passphrase: Secret

    package init(passphrase: Secret) {
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("passphrase", passphrase)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      passphrase = try object.member("passphrase")
    }
  }
}
