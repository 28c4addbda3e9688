package import WatchwordSecret

/// An absolute `http` or `https` URL, taken apart once by the transport's parser.
///
/// Userinfo is cut off on entry and never put back into a URL, a `Referer`, a log line or an error; the
/// fragment is dropped. All parts are as they go on the wire (percent-encoded).
///
/// Immutable. A reference, because every step of a fetch keeps it: to copy five strings costs more than to count.
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
