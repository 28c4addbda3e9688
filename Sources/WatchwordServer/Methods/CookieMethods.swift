internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// `cookie/*`: the cookies of a session.
@ReactorActor
enum CookieMethods {
  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CookieList.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    var cookies = session.engine.cookies.list()
    if let text = parameters.url {
      let url = try URLParameter.parse(text)
      cookies.removeAll { !$0.isSent(to: url.origin.host, path: url.path, isSecure: url.origin.isSecure) }
    }
    call.succeed("cookies", cookies) { write($0, to: &$1) }
  }

  static func set(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CookieSet.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let given = parameters.cookie
    let includesSubdomains = given.domain.hasPrefix(".")
    session.engine.cookies.set(
      Cookie(
        name: given.name, value: given.value,
        domain: includesSubdomains ? String(given.domain.dropFirst()) : given.domain,
        includesSubdomains: includesSubdomains, path: given.path, expires: given.expires.map { Int64($0) },
        isSecure: given.isSecure, isHTTPOnly: given.isHTTPOnly))
    call.succeed { $0.emptyObject() }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try CookieRemove.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let removed = session.engine.cookies.remove(domain: parameters.domain, name: parameters.name)
    call.succeed(removed: removed)
  }

  private static func write(_ cookie: Cookie, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", cookie.name)
    writer.member("value", cookie.value)
    writer.member("domain", cookie.includesSubdomains ? "." + cookie.domain : cookie.domain)
    writer.member("path", cookie.path)
    writer.member("expires", cookie.expires.map { Timestamp.text(Double($0)) })
    writer.member("secure", cookie.isSecure)
    writer.member("httpOnly", cookie.isHTTPOnly)
    writer.endObject()
  }
}

extension Cookie {
  /// RFC 6265 §5.4: domain, path and security.
  fileprivate func isSent(to host: String, path: String, isSecure: Bool) -> Bool {
    let matchesHost = host == domain || (includesSubdomains && host.hasSuffix("." + domain))
    let matchesPath =
      path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
    return matchesHost && matchesPath && (isSecure || !self.isSecure)
  }
}
