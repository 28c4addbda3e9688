package import WatchwordJSON
package import WatchwordSecret

/// `vault/export` and `vault/import`: the permanent credentials, decisions and identities of the account in a
/// file.
package enum VaultTransfer {
  package struct Parameters: Sendable {
    /// The index of the descriptor that was sent with the message.
    package let descriptor: Int
    /// Of the file; the vault's own has nothing to do with it.
    package let passphrase: Secret

    package init(_ object: JSONObject?) throws(RPCError) {
      (descriptor, passphrase) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let indices = 0...Int64(Message.maximumDescriptors - 1)
        guard let index = try reader.optionalInteger("descriptor", in: indices) else {
          throw reader.fault("descriptor", "is missing")
        }
        guard let passphrase = try reader.optionalPassphrase("passphrase") else {
          throw reader.fault("passphrase", "is missing")
        }
        return (Int(index), passphrase)
      }
    }
  }

  package static func write(exported: Int, trust: Int, identities: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("credentials", exported)
    writer.member("trust", trust)
    writer.member("identities", identities)
    writer.endObject()
  }

  /// - Parameter skipped: those that are over, and those in whose place the vault has a newer one or the same.
  package static func write(added: Int, replaced: Int, skipped: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("added", added)
    writer.member("replaced", replaced)
    writer.member("skipped", skipped)
    writer.endObject()
  }
}
