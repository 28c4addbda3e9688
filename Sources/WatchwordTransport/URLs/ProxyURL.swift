internal import WatchwordVocabulary
internal import Glibc
package import WatchwordCore
internal import WatchwordPrimitives
package import WatchwordSecret

/// Turns the URL of a proxy into a ``Proxy``, with curl's schemes and default ports.
///
/// Host and userinfo follow the rules of ``URLParser``. The text may hold a password: it is a secret, and its copies are
/// wiped.
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
