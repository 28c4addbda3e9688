package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `agent/unlock`. Unlocks the locked agent, or else opens the locked vault, with its
  /// passphrase.
  package struct AgentUnlock: MethodRequest {
    package typealias Result = Sent.AgentLock
    package static let method = "agent/unlock"

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
