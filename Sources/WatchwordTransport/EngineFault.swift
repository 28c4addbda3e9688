/// Why no engine can be made from a configuration.
package enum EngineFault: Error, Sendable, Equatable {
  /// The extra roots are not PEM certificates.
  case rootsUnreadable
  /// There may be so many.
  case tooManyRoots(Int)
  /// The revocation lists are not PEM lists.
  case revocationListsUnreadable
  /// An entry of `resolve` is not `host:port` and an address.
  case resolveEntry(String)
  case outOfMemory
}
