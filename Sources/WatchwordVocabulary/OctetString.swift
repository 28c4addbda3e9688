/// Text that a server chose, as octets: they need not be UTF-8, and are sent back and hashed unchanged.
///
/// `é` as C3 A9 and as E9 are two texts. Otherwise a password for one realm would go to another that only looks the
/// same, and a server would not recognize its own nonce.
package struct OctetString: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  package let octets: [UInt8]

  @inlinable package init(octets: some Sequence<UInt8>) { self.octets = Array(octets) }

  package init(_ text: String) { octets = Array(text.utf8) }

  package init(stringLiteral text: String) { self.init(text) }

  package var count: Int { octets.count }
  package var isEmpty: Bool { octets.isEmpty }

  /// With U+FFFD in place of invalid UTF-8: for people, and for values that are ASCII by their grammar.
  package var text: String { String(decoding: octets, as: UTF8.self) }

  package var isUTF8: Bool { String(validating: octets, as: UTF8.self) != nil }

  package var description: String { text }
}
