/// Where a credential comes from when it was not given itself: one of the administrator's sources.
package struct CredentialSource: Sendable, Equatable {
  package let name: String
  /// The limits that the caller gave; a credential's own also say when it ends.
  package let limits: CredentialLimits

  package init(name: String, limits: CredentialLimits) {
    self.name = name
    self.limits = limits
  }
}
