package import WatchwordJSON
package import WatchwordSecret

/// `vault/passphrase`: lets the vault open with a passphrase.
package enum VaultPassphrase {
  package struct Parameters: Sendable {
    package let passphrase: Secret
    /// Whether what opens the vault without a person does so in future, too.
    package let keepsOthers: Bool

    package init(_ object: JSONObject?) throws(RPCError) {
      (passphrase, keepsOthers) = try ParameterReader.decode(object) { reader throws(RPCError) in
        guard let passphrase = try reader.optionalPassphrase("passphrase") else {
          throw reader.fault("passphrase", "is missing")
        }
        return (passphrase, try reader.optionalBool("keepOthers") ?? false)
      }
    }
  }
}
