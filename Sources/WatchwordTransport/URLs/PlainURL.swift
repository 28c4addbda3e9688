internal import Glibc
package import WatchwordCore
package import WatchwordVocabulary

/// An absolute URL as libcurl's parser is given it: without userinfo and fragment, path and query encoded.
struct PlainURL {
  let scheme: WebScheme
  let userinfo: RequestURL.Userinfo?
  private let bytes: [UInt8]
  /// Whether the authority names a port.
  let hasPort: Bool
  /// Bytes of scheme and authority.
  private let baseCount: Int

  init(_ text: String) throws(URLFault) { try self.init(Array(text.utf8)) }

  init(_ given: [UInt8]) throws(URLFault) {
    guard given.count <= URLParser.maximumLength else { throw .tooLong }
    guard !given.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .controlCharacter }
    let parts = try URLParts(given)
    scheme = parts.scheme
    userinfo = try parts.userinfo.map { bytes throws(URLFault) in try URLUserinfo.parse(bytes) }
    var plain: [UInt8] = []
    plain.reserveCapacity(given.count + 1)
    plain += parts.scheme.rawValue.utf8
    plain += "://".utf8
    plain += parts.hostAndPort
    baseCount = plain.count
    let lastBracket = parts.hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? parts.hostAndPort.startIndex
    hasPort = parts.hostAndPort[lastBracket...].contains(UInt8(ascii: ":"))
    URLEncoding.append(encoded: parts.rest, to: &plain)
    bytes = plain
  }

  /// Scheme and authority as they are spelled.
  var base: String { String(decoding: bytes[..<baseCount], as: UTF8.self) }

  var zeroTerminated: [UInt8] { bytes + [0] }

  /// Path and query, where they can be told apart without libcurl: no segment of the path begins with a dot,
  /// which could have to be removed.
  var plainTarget: (path: String, query: String?)? {
    let target = bytes[baseCount...]
    guard target.first == UInt8(ascii: "/") else { return nil }
    let path = target.prefix { $0 != UInt8(ascii: "?") }
    var last: UInt8 = 0
    for byte in path {
      if byte == UInt8(ascii: "."), last == UInt8(ascii: "/") { return nil }
      last = byte
    }
    let query = path.endIndex < target.endIndex ? target[(path.endIndex + 1)...] : nil
    return (String(decoding: path, as: UTF8.self), query.map { String(decoding: $0, as: UTF8.self) })
  }
}

/// Turns the URL of a proxy into a ``Proxy``, with curl's schemes and default ports.
///
/// Host and userinfo follow the rules of ``URLParser``. The text may hold a password: it is a secret, and its
/// copies are wiped.
package enum ProxyURL {
  /// Why a text is no proxy's URL, in words that hold nothing of it.
  package static let expectation =
    "must be http://, https://, socks4://, socks4a://, socks5:// or socks5h:// with a host and perhaps user, password and port"

  /// - Parameter requiresScheme: whether `host:port` is no URL; otherwise it means `http://host:port`.
  package static func parse(_ text: Secret, requiresScheme: Bool = true) throws(URLFault) -> Proxy {
    var given = text.withBytes { Array($0) }
    defer { wipe(&given) }
    guard given.count <= URLParser.maximumLength else { throw .tooLong }
    let mark = Array("://".utf8)
    let schemeEnd = given.indices.first { given[$0...].starts(with: mark) }
    let name = schemeEnd.map { String(decoding: given[..<$0], as: UTF8.self).asciiLowercased }
    guard name != nil || !requiresScheme else { throw .notAbsolute }
    let (type, resolvesNames, defaultPort) = try kind(name ?? "http")
    // Under a scheme that the parser knows.
    var url =
      Array((type == .https ? "https" : "http").utf8) + mark
      + given[(schemeEnd.map { $0 + mark.count } ?? 0)...]
    defer { wipe(&url) }
    let plain = try PlainURL(url)
    let parsed = try URLParser.takeApart(plain)
    guard parsed.path == "/", parsed.query == nil, !url.contains(UInt8(ascii: "#")) else { throw .malformed }
    let origin = Origin(
      scheme: parsed.origin.scheme, host: parsed.origin.host,
      port: plain.hasPort ? parsed.origin.port : defaultPort)
    return Proxy(
      type, resolvesNames: resolvesNames,
      url: RequestURL(origin: origin, path: "/", query: nil, userinfo: parsed.userinfo))
  }

  private static func kind(_ scheme: String) throws(URLFault) -> (ProxyType, resolvesNames: Bool, UInt16) {
    switch scheme {
    case "http": (.http, true, 1080)
    case "https": (.https, true, 443)
    case "socks", "socks4": (.socks4, false, 1080)
    case "socks4a": (.socks4, true, 1080)
    case "socks5": (.socks5, false, 1080)
    case "socks5h": (.socks5, true, 1080)
    default: throw .unsupportedScheme
    }
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }
}
