package import WatchwordJSON
package import WatchwordSecret

/// The parameters of `agent/lock` and `agent/unlock`.
package struct PassphraseParameters: Sendable {
  package let passphrase: Secret

  package init(_ object: JSONObject?) throws(RPCError) {
    passphrase = try ParameterReader.decode(object) { reader throws(RPCError) in
      guard let passphrase = try reader.optionalPassphrase("passphrase") else {
        throw reader.fault("passphrase", "is missing")
      }
      return passphrase
    }
  }
}

extension ParameterReader {
  /// An empty one would protect nothing.
  mutating func optionalPassphrase(_ name: String) throws(RPCError) -> Secret? {
    let passphrase = try optionalSecret(name, maximumBytes: 1024)
    if passphrase?.isEmpty == true { throw fault(name, "is empty") }
    return passphrase
  }
}
