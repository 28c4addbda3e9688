package import WatchwordJSON
package import WatchwordSecret

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `vault/import`. Merges the contents of an export into the vault of the uid.
  package struct VaultImport: MethodRequest {
    package typealias Result = Sent.ImportReport
    package static let method = "vault/import"

    package let descriptor: Int
    /// Of the file. Secret.
    package let passphrase: Secret

    package init(descriptor: Int, passphrase: Secret) {
      self.descriptor = descriptor
      self.passphrase = passphrase
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("descriptor", descriptor)
      writer.member("passphrase", passphrase)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      descriptor = try object.member("descriptor")
      passphrase = try object.member("passphrase")
    }
  }
}
