internal import WatchwordPrimitives
/// A name that promises how its cookie was set (RFC 6265bis §4.1.3); browsers compare it without regard to case.
///
/// A server that reads `__Host-sid` trusts that no other host and no cleartext set it.
package enum CookiePrefix {
  /// Whether a cookie keeps what its name promises.
  ///
  /// - Parameters:
  ///   - hasRootPath: whether it was given the path `/`.
  ///   - isForHostOnly: whether no other host is sent it.
  package static func isKept(
    name: some Collection<UInt8>, isSecure: Bool, hasRootPath: Bool, isForHostOnly: Bool
  ) -> Bool {
    if starts(name, with: "__secure-") { return isSecure }
    if starts(name, with: "__host-") { return isSecure && hasRootPath && isForHostOnly }
    return true
  }

  private static func starts(_ name: some Collection<UInt8>, with prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      ASCIICase.matches(name.prefix(prefix.count), prefix)
    }
  }
}
