/// What may stand in a request's header fields.
package enum HeaderRules {
  /// Fields that frame the message or belong to the hop: the daemon's own to set (RFC 9112, RFC 9110 §7.6.1).
  private static let reserved: Set<String> = [
    "connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-authorization",
    "proxy-connection", "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  package static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

  /// RFC 9110 §5.6.2 `token`, at most 256 bytes.
  package static func isToken(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.utf8.allSatisfy(isTokenByte)
  }

  /// No control character but tab; at most 64 KiB.
  package static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 65_536 && text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
