/// A server as credentials see it: scheme, host and port, all three compared exactly.
///
/// RFC 6454 §4. Credentials that follow a redirect to another port or scheme were curl's CVE-2018-1000007,
/// CVE-2022-27774 and CVE-2022-27776. `host` is lowercased, without brackets, IDNA-encoded, and `port`
/// explicit on the way in.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
  package let scheme: WebScheme
  package let host: String
  package let port: UInt16

  package init(scheme: WebScheme, host: String, port: UInt16) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The host and the port are enough: few have both in common.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
  }

  /// `https://host:port`; the port always explicit.
  package var description: String { "\(scheme.rawValue)://\(bracketedHost):\(port)" }

  /// The host as it stands in a URL or a `Host` field.
  package var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  /// Whether bytes to this origin cannot leave the machine: a loopback address, or `localhost` (RFC 6761
  /// §6.3).
  package var isLoopback: Bool {
    if host.utf8.starts(with: "127.".utf8) { return hasFourNumbers }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
  }

  /// Whether the host is an IPv4 address. Not by splitting it: this is asked for each credential that is
  /// sent.
  private var hasFourNumbers: Bool {
    var dots = 0
    var number: Int?
    for byte in host.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        guard number != nil else { return false }
        dots += 1
        number = nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
        guard next <= 255 else { return false }
        number = next
      default: return false
      }
    }
    return dots == 3 && number != nil
  }

  /// Whether TLS protects a credential on its way from the daemon to this hop.
  package var isSecure: Bool { scheme == .https }
}

/// The two URL schemes that Watchword fetches; after redirects too.
package enum WebScheme: String, Sendable, Hashable, CaseIterable {
  case http
  case https

  package var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}

/// An absolute `http` or `https` URL, taken apart once by the transport's parser.
///
/// Userinfo is cut off on entry and never put back into a URL, a `Referer`, a log line or an error; the
/// fragment is dropped. All parts are as they go on the wire (percent-encoded).
///
/// Immutable. A reference, because every step of a fetch keeps it: to copy five strings costs more than to
/// count.
package final class RequestURL: Sendable, Equatable {
  package let origin: Origin
  /// Begins with `/`; dot segments removed.
  package let path: String
  /// Without the `?`; nil when there is none.
  package let query: String?
  /// The URL without userinfo and fragment; a default port is left out.
  package let text: String
  /// The text up to the path.
  private let base: String
  /// From `user:password@`, percent-decoded once and free of control characters.
  package let userinfo: Userinfo?

  package struct Userinfo: Sendable, Equatable {
    package let user: String
    package let password: Secret?

    package init(user: String, password: Secret?) {
      self.user = user
      self.password = password
    }
  }

  package convenience init(origin: Origin, path: String, query: String?, userinfo: Userinfo? = nil) {
    self.init(origin, base: RequestURL.base(of: origin), path: path, query: query, userinfo: userinfo)
  }

  private init(_ origin: Origin, base: String, path: String, query: String?, userinfo: Userinfo?) {
    self.origin = origin
    self.base = base
    self.path = path
    self.query = query
    self.userinfo = userinfo
    var text = base
    text += path
    if let query {
      text += "?"
      text += query
    }
    self.text = text
  }

  /// What follows the method in a request line: RFC 9112 §3.2.1.
  package var requestTarget: String { query.map { "\(path)?\($0)" } ?? path }

  /// The URL up to the path: what connections other than the task's own may see.
  package var textWithoutQuery: String { base + path }

  /// Another URL of the same origin.
  package func sibling(path: String, query: String?, userinfo: Userinfo? = nil) -> RequestURL {
    RequestURL(origin, base: base, path: path, query: query, userinfo: userinfo)
  }

  /// The same URL without its userinfo: a redirect never carries any on.
  package var withoutUserinfo: RequestURL {
    userinfo == nil ? self : sibling(path: path, query: query)
  }

  package static func == (left: RequestURL, right: RequestURL) -> Bool {
    left === right
      || (left.origin == right.origin && left.path == right.path && left.query == right.query
        && left.userinfo == right.userinfo)
  }

  private static func base(of origin: Origin) -> String {
    var text = origin.scheme == .https ? "https://" : "http://"
    text += origin.bracketedHost
    if origin.port != origin.scheme.defaultPort {
      text += ":"
      text += String(origin.port)
    }
    return text
  }
}
