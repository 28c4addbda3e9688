internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `cookie/*`: the cookies of a session.
@ReactorActor
enum CookieMethods {
  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CookieListParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    var url: RequestURL?
    if let text = parameters.url { url = try URLParameter.parse(text) }
    call.succeed(Sent.CookieList(cookies: session.engine.cookies.list(for: url).map(\.sent)))
  }

  static func set(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CookieSetParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let given = parameters.cookie
    let includesSubdomains = given.domain.hasPrefix(".")
    let refusal = session.engine.cookies.set(
      Cookie(
        name: given.name, value: given.value,
        domain: includesSubdomains ? String(given.domain.dropFirst()) : given.domain,
        includesSubdomains: includesSubdomains, path: given.path, expires: given.expires.map { Int64($0) },
        isSecure: given.secure, isHTTPOnly: given.httpOnly))
    session.countKept()
    switch refusal {
    case nil: break
    case .brokenPromise:
      throw .invalidParams(
        "params.cookie.name", "promises what the cookie does not keep (RFC 6265bis §4.1.3)")
    case .publicSuffix:
      throw .invalidParams("params.cookie.domain", "is a public suffix, whose names belong to many")
    }
    call.succeed { $0.emptyObject() }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CookieRemoveParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let removed = session.engine.cookies.remove(domain: parameters.domain, name: parameters.name)
    session.countKept()
    call.succeed(Sent.Removal(removed: removed))
  }
}

extension Cookie {
  fileprivate var sent: Sent.Cookie {
    Sent.Cookie(
      name: name, value: value, domain: includesSubdomains ? "." + domain : domain, path: path,
      expires: expires.map { Timestamp.text(Double($0)) }, secure: isSecure, httpOnly: isHTTPOnly)
  }
}
