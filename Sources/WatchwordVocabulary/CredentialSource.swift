package import WatchwordSecret

/// Where a credential comes from when it was not given itself: one of the administrator's sources.
package struct CredentialSource: Sendable, Equatable {
  package let name: String
  /// The limits that the caller gave; a credential's own also say when it ends.
  package let limits: CredentialLimits
  /// What the source is told when a server has accepted or refused the credential (storage.md 9.7.11); nil: nothing.
  package let receipt: Secret?
  /// Whether what it gives goes with the first request (storage.md 9.4.6).
  package let isPreemptive: Bool
  /// Of a key: what stands in front of it in its field.
  package let prefix: String

  package init(
    name: String, limits: CredentialLimits, receipt: Secret? = nil, isPreemptive: Bool = false,
    prefix: String = ""
  ) {
    self.name = name
    self.limits = limits
    self.receipt = receipt
    self.isPreemptive = isPreemptive
    self.prefix = prefix
  }
}
