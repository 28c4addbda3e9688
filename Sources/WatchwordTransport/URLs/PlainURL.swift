internal import WatchwordCore
internal import WatchwordVocabulary

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

  /// Path and query, where they can be told apart without libcurl: no segment of the path begins with a dot, which could
  /// have to be removed.
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
