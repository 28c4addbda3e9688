internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Rules for a caller's header fields, beyond their syntax.
package enum HeaderRules {
  /// Fields that frame the message or belong to the hop: only the daemon sets them (RFC 9112, RFC 9110 §7.6.1).
  private static let reserved: Set<String> = [
    "connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-connection", "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  /// Bytes of a value: a Kerberos ticket with many groups is the longest in use.
  static let maximumValueBytes = 65_536

  package static func isReserved(_ name: String) -> Bool { reserved.contains(name.asciiLowercased) }

  package static func isValue(_ text: String) -> Bool {
    text.utf8.count <= maximumValueBytes && FieldSyntax.isValue(text)
  }
}
