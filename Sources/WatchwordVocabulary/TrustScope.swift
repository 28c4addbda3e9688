/// Whether the certificates are accepted, or the key: the wire's `{"trust": …}`.
package enum TrustScope: String, Sendable, CaseIterable {
  case certificate
  case publicKey
}
