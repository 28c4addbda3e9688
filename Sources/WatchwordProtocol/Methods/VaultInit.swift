package import WatchwordJSON
package import WatchwordSecret

/// `vault/init`: makes the vault of the account.
package enum VaultInit {
  package struct Parameters: Sendable {
    /// Nil: the vault opens with a key file.
    package let passphrase: Secret?

    package init(_ object: JSONObject?) throws(RPCError) {
      passphrase = try ParameterReader.decode(object) { reader throws(RPCError) in
        try reader.optionalPassphrase("passphrase")
      }
    }
  }
}
