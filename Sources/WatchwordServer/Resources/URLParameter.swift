internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A `url` parameter, through the transport's one parser.
enum URLParameter {
  static func parse(_ text: String, path: String = "params.url") throws(RPCError) -> RequestURL {
    var none = KnownAuthorities()
    return try parse(text, path: path, &none)
  }

  /// The same for the session whose authorities these are.
  static func parse(
    _ text: String, path: String = "params.url", _ authorities: inout KnownAuthorities
  ) throws(RPCError) -> RequestURL {
    do throws(URLFault) {
      return try authorities.parse(text)
    } catch {
      throw .invalidParams(path, error.text)
    }
  }

  /// An origin: a URL with a path would say more than counts.
  static func origin(_ text: String, path: String) throws(RPCError) -> Origin {
    let url = try parse(text, path: path)
    guard url.path == "/", url.query == nil, url.userinfo == nil, !text.utf8.contains(UInt8(ascii: "#"))
    else {
      throw .invalidParams(path, "must be a scheme, a host and perhaps a port, and nothing more")
    }
    return url.origin
  }

  /// The spaces with their host as a URL of that host would have it, so that what is stored for
  /// `0:0:0:0:0:0:0:1` or `0x7f.1` is found.
  static func canonical(_ spaces: [ProtectionSpace]) throws(RPCError) -> [ProtectionSpace] {
    var canonical: [ProtectionSpace] = []
    for space in spaces {
      let url = try parse("\(space.origin)/", path: "params.protectionSpace.host")
      canonical.append(space.moved(to: url.origin))
    }
    return canonical
  }
}

extension URLFault {
  fileprivate var text: String {
    switch self {
    case .tooLong: "longer than \(URLParser.maximumLength) bytes"
    case .controlCharacter: "holds a control character"
    case .notAbsolute: "is not an absolute URL"
    case .unsupportedScheme: "must be http or https"
    case .badUserinfo: "its userinfo is malformed"
    case .badHost: "its host is malformed"
    case .zoneIdentifier: "an IPv6 zone means something on one host only"
    case .badPort: "its port is not from 1 to 65535"
    case .malformed: "is not a URL"
    }
  }
}
