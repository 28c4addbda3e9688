/// The members of messages that hold secrets. Made from `protocol/openrpc.json` by `protocol/generate`.
internal enum SecretMember {
  /// Those whose text is a secret.
  internal static let texts: Set<String> = [
    "all", "http", "https", "passphrase", "password", "pkcs12", "privateKey", "token",
  ]

  /// Those inside of whose object each text is one.
  internal static let objects: Set<String> = ["cache", "keytab", "netrc"]
}
