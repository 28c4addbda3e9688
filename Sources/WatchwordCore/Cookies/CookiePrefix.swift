internal import WatchwordPrimitives

/// A name prefix that guarantees how a cookie was set (RFC 6265bis §4.1.3); browsers ignore its case.
///
/// A server that reads `__Host-sid` trusts that no other host and no cleartext response set it.
package enum CookiePrefix {
  /// Whether a cookie satisfies the prefix of its name.
  ///
  /// - Parameters:
  /// - hasRootPath: whether its path was set to `/`.
  /// - isForHostOnly: whether it is sent to no other host.
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
