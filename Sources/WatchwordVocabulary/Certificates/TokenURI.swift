/// Which key of which token (RFC 7512). It names no module and no source of a PIN: callers may not choose
/// those.
package struct TokenURI: Sendable, Equatable {
  package let text: String

  private static let scheme = "pkcs11:"
  private static let names: Set<Substring> = [
    "token", "manufacturer", "serial", "model", "object", "type", "id", "slot-id",
  ]

  /// - Throws: Why it is invalid, for a person.
  package init(_ text: String) throws(TokenURIFault) {
    guard text.hasPrefix(TokenURI.scheme) else {
      throw TokenURIFault("does not begin with \(TokenURI.scheme)")
    }
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw TokenURIFault("has a character that must be percent-encoded")
    }
    guard !text.contains("?") else {
      throw TokenURIFault("has a query: modules are the administrator's to name, and a PIN is a passphrase")
    }
    for attribute in text.dropFirst(TokenURI.scheme.count).split(
      separator: ";", omittingEmptySubsequences: false)
    {
      guard let sign = attribute.firstIndex(of: "="), TokenURI.names.contains(attribute[..<sign]) else {
        throw TokenURIFault(
          "has an attribute that is none of \(TokenURI.names.sorted().joined(separator: ", "))")
      }
      guard TokenURI.isPercentEncoded(attribute.utf8) else {
        throw TokenURIFault("has a percent sign without two digits")
      }
    }
    self.text = text
  }

  private static func isPercentEncoded(_ bytes: Substring.UTF8View) -> Bool {
    bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy {
      part in
      part.count >= 2 && part.prefix(2).allSatisfy { Hexadecimal.value(ofDigit: $0) != nil }
    }
  }
}

/// Why a URI of a token's key is invalid, for a person.
package struct TokenURIFault: Error, Sendable, Equatable {
  package let text: String

  init(_ text: String) { self.text = text }
}
