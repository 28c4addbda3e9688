package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `vault/init`. Makes the vault of the uid.
  package struct VaultInit: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/init"

    /// Secret.
    package let passphrase: Secret?

    package init(passphrase: Secret? = nil) {
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let passphrase { writer.member("passphrase", passphrase) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      passphrase = try object.memberIfPresent("passphrase")
    }
  }
}
