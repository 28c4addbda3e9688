package import WatchwordSecret
package import WatchwordVocabulary

/// The members of `PassphraseCredential`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct PassphraseCredentialMembers: Sendable {
  /// Secret.
  package let passphrase: Secret
  /// Means nothing: the passphrase is not kept.
  package let persistence: Persistence?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    passphrase = try reader.required("passphrase").secret(maximumBytes: 1024, minimumBytes: 1)
    persistence = try reader["persistence"]?.enumeration(Persistence.self)
  }
}
