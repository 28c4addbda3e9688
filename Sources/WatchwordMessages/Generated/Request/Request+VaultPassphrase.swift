package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `vault/passphrase`. Lets the vault open with this passphrase.
  package struct VaultPassphrase: MethodRequest {
    package typealias Result = Sent.Empty
    package static let method = "vault/passphrase"

    /// Secret.
    package let passphrase: Secret
    /// What opens the vault without a person does so in future, too.
    package let keepOthers: Bool?

    package init(passphrase: Secret, keepOthers: Bool? = nil) {
      self.passphrase = passphrase
      self.keepOthers = keepOthers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("passphrase", passphrase)
      if let keepOthers { writer.member("keepOthers", keepOthers) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      passphrase = try object.member("passphrase")
      keepOthers = try object.memberIfPresent("keepOthers")
    }
  }
}
