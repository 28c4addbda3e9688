internal import WatchwordVocabulary

/// The header fields that can carry a key (storage.md 9.4.10).
package enum KeyField {
  private static let maximumBytes = 128
  private static let maximumPrefixBytes = 128

  /// Fields that frame a message, belong to one hop, or that the transport sets (RFC 9110 §7.6.1, RFC 9112
  /// §6). Those of other credentials, of the host, the path and the method are `RestrictedFields`.
  private static let excluded: Set<String> = [
    "alt-used", "connection", "content-length", "date", "early-data", "expect", "from", "http2-settings",
    "keep-alive", "max-forwards", "origin", "proxy-authenticate", "proxy-connection", "referer", "set-cookie",
    "te", "trailer", "transfer-encoding", "upgrade", "via", "www-authenticate",
  ]

  /// Whether keys can be kept for the field: it has no meaning for the message, the connection or another
  /// credential.
  package static func isAllowed(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return name.utf8.count <= maximumBytes && FieldSyntax.isToken(name) && !excluded.contains(name)
      && !name.hasPrefix("content-") && !name.hasPrefix("sec-") && RestrictedFields.mayBeAdded(name)
      && !RestrictedFields.isOwn(name)
  }

  /// Whether this may stand in front of a key: visible ASCII and spaces, of which none is the first.
  package static func isPrefix(_ text: String) -> Bool {
    text.utf8.count <= maximumPrefixBytes && text.utf8.first != 0x20
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
