/// Why there is no engine for a configuration.
package enum EngineFault: Error, Sendable, Equatable {
  /// The extra roots are no PEM certificates.
  case rootsUnreadable
  /// The revocation lists are no PEM lists.
  case revocationListsUnreadable
  /// An entry of `resolve` is not `host:port` and an address.
  case resolveEntry(String)
  case outOfMemory
}
