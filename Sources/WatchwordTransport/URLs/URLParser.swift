internal import CTransport
internal import WatchwordCore
internal import WatchwordSecret
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
