/// The kinds of key that TLS authenticates a client with (RFC 8446 §4.2.3); named as in ``Certificate/keyType``.
package enum IdentityKeyType: String, Sendable, CaseIterable {
  case rsa
  case ec
  case ed25519
  case ed448
}
