internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// An absolute URL split at its first `://`, at the end of its authority and at its only `@`; without the fragment.
struct URLParts {
  let scheme: WebScheme
  let userinfo: ArraySlice<UInt8>?
  let hostAndPort: ArraySlice<UInt8>
  /// Path and query, unchanged.
  let rest: ArraySlice<UInt8>

  init(_ text: [UInt8]) throws(URLFault) {
    guard Self.hasScheme(text), let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .notAbsolute }
    let name = String(decoding: text[..<colon], as: UTF8.self)
    guard let scheme = WebScheme.allCases.first(where: { name.matchesASCIICase(of: $0.rawValue) }) else {
      throw .unsupportedScheme
    }
    self.scheme = scheme
    let start = colon + 3
    // `http:/host` and `http:///host`, which libcurl repairs, mean different things to different programs.
    guard text.count > start, text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/"),
      text[start] != UInt8(ascii: "/")
    else { throw .notAbsolute }
    let tail = text[start...]
    let end = tail.firstIndex(where: Self.endsAuthority) ?? tail.endIndex
    let authority = tail[..<end]
    // Browsers take a backslash for a slash; libcurl does not.
    guard !authority.contains(UInt8(ascii: "\\")), !authority.contains(UInt8(ascii: " ")) else {
      throw .badHost
    }
    if let at = authority.firstIndex(of: UInt8(ascii: "@")) {
      userinfo = authority[..<at]
      hostAndPort = authority[(at + 1)...]
      guard !hostAndPort.contains(UInt8(ascii: "@")) else { throw .badUserinfo }
    } else {
      userinfo = nil
      hostAndPort = authority
    }
    guard !hostAndPort.isEmpty else { throw .badHost }
    // libcurl decodes a host name after it has checked whether it is an address: `0x7f%2e1` would change on the way.
    if hostAndPort.contains(UInt8(ascii: "%")) {
      throw hostAndPort.first == UInt8(ascii: "[") ? .zoneIdentifier : .badHost
    }
    rest = tail[end...].prefix { $0 != UInt8(ascii: "#") }
  }

  /// Whether the text begins with `scheme:` (RFC 3986 §3.1), so that it is not relative.
  static func hasScheme(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first, ASCIICase.isLetter(first) else { return false }
    for byte in text {
      if byte == UInt8(ascii: ":") { return true }
      guard ASCIICase.isLetter(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte) else {
        return false
      }
    }
    return false
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

}
