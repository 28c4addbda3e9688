internal import CTransport
internal import WatchwordCore
package import WatchwordVocabulary

/// Turns text into a ``RequestURL``.
///
/// What names the host goes through libcurl's own parser: parsers that disagree about where the host ends are
/// how requests and credentials reach another server than the one that was checked (CVE-2022-27780). What is
/// ambiguous is refused before (backslashes, spaces, a second `@`, missing slashes); userinfo is cut off and
/// never reaches libcurl. In path and query, bytes that may not stand in a request line are percent-encoded
/// as browsers do, and `%2e` is the dot it means.
package enum URLParser {
  /// Longest URL in bytes; servers end between 4 and 16 KiB.
  package static let maximumLength = 16_384

  package static func parse(_ text: String) throws(URLFault) -> RequestURL {
    try takeApart(PlainURL(text))
  }

  /// The URL that a `Location` field names, seen from `base` (RFC 3986 §5.2); without userinfo.
  package static func resolve(location: String, against base: RequestURL) throws(URLFault) -> RequestURL {
    // By bytes: to Swift, `/` and a combining mark after it are one character, and not `/`.
    let bytes = location.utf8.prefix { $0 != UInt8(ascii: "#") }
    let reference = Substring(bytes)
    let root = "\(base.origin.scheme.rawValue)://\(base.origin.bracketedHost):\(base.origin.port)"
    let text: String
    if URLParts.hasScheme(bytes) {
      text = String(reference)
    } else if bytes.starts(with: "//".utf8) {
      text = "\(base.origin.scheme.rawValue):\(reference)"
    } else if bytes.first == UInt8(ascii: "/") {
      text = root + reference
    } else if bytes.isEmpty {
      text = root + base.requestTarget
    } else if bytes.first == UInt8(ascii: "?") {
      text = root + base.path + reference
    } else {
      text = root + base.path[...(base.path.lastIndex(of: "/") ?? base.path.startIndex)] + reference
    }
    return try parse(text).withoutUserinfo
  }

  static func takeApart(_ plain: PlainURL) throws(URLFault) -> RequestURL {
    var url = transport_url()
    let code = plain.zeroTerminated.withUnsafeBytes {
      transport_url_parse($0.bindMemory(to: CChar.self).baseAddress, &url)
    }
    defer { transport_url_free(&url) }
    guard code == CURLUE_OK else { throw fault(code) }
    guard url.zone == nil else { throw .zoneIdentifier }
    guard url.user == nil, let hostText = url.host, let pathText = url.path else { throw .malformed }
    let host = try URLHost.normalize(String(cString: hostText))
    let port = url.port.flatMap { UInt16(String(cString: $0)) } ?? 0
    guard port != 0 else { throw .badPort }
    let query = url.query.map { String(cString: $0) }
    return RequestURL(
      origin: Origin(scheme: plain.scheme, host: host, port: port), path: String(cString: pathText),
      query: query,
      userinfo: plain.userinfo)
  }

  private static func fault(_ code: CURLUcode) -> URLFault {
    switch code {
    case CURLUE_BAD_PORT_NUMBER: .badPort
    case CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6, CURLUE_NO_HOST, CURLUE_LACKS_IDN, CURLUE_URLDECODE: .badHost
    case CURLUE_OUT_OF_MEMORY: .tooLong
    case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME: .unsupportedScheme
    case CURLUE_BAD_SLASHES, CURLUE_NO_SCHEME: .notAbsolute
    default: .malformed
    }
  }
}

/// An absolute URL split at its first `://`, at the end of its authority and at its only `@`; without the
/// fragment.
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
    // libcurl decodes a host name after it has checked whether it is an address: `0x7f%2e1` would change on
    // the way.
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

/// Why a text is not a URL that Watchword fetches. No case holds any of the text: it may contain a password.
package enum URLFault: Error, Sendable, Equatable, CaseIterable {
  case tooLong
  /// A control character, raw, or percent-encoded where it would get into a field (host, userinfo).
  case controlCharacter
  /// No `scheme://host`.
  case notAbsolute
  /// A scheme other than http and https.
  case unsupportedScheme
  case badUserinfo
  case badHost
  /// An IPv6 zone is meaningful on one host only, and libcurl would remove it from the name.
  case zoneIdentifier
  case badPort
  /// libcurl's parser refused it for another reason.
  case malformed
}
