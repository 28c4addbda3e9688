/// Limits on the use of a stored credential (storage.md 9.5.1); nil and empty mean no limit.
package struct CredentialLimits: Sendable, Equatable {
  /// Seconds without a use after which the credential is forgotten.
  package var idleSeconds: Double?
  /// Seconds after which it is forgotten regardless of its use.
  package var lifetimeSeconds: Double?
  /// Wall-clock seconds since 1970 after which it is forgotten.
  package var notAfter: Double?
  /// Paths it may be sent to, with everything below them; empty: all.
  package var pathPrefixes: [String] = []
  /// HTTP methods it may be sent with; empty: all.
  package var methods: [String] = []
  package var maximumUses: Int?
  /// Whether a use by another process than the one that gave it raises a challenge.
  package var confirm = false

  package init() {}
}
