internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// A protection space as a person names it: a URL, and what distinguishes the URL's spaces.
struct SpaceOptions {
  var url: String?
  var session: String?
  var realm: String?
  var method: String?
  /// The header field of a key, which is the method then.
  var field: String?
  /// Whether the URL is a proxy's.
  var isProxy = false

  static func options<Verb: Command>(
    _ space: @escaping (inout Verb, (inout SpaceOptions) -> Void) -> Void
  ) -> [Option<Verb>] {
    [
      Option(nil, "realm", "REALM", "the realm, as the server spells it [any]") { (verb, realm) in
        space(&verb) { $0.realm = realm }
      },
      Option(
        nil, "method", "METHOD", "basic, digest, bearer, negotiate, ntlm, or default for basic and digest",
        completion: .words(["basic", "digest", "bearer", "negotiate", "ntlm", "default"])
      ) { (verb, method) in space(&verb) { $0.method = method } },
      Option(nil, "proxy", "the URL is that of a proxy, and the space is the proxy's") { verb in
        space(&verb) { $0.isProxy = true }
      },
      Option(nil, "session", "NAME", "the session [default]") { (verb, name) in
        space(&verb) { $0.session = name }
      },
    ]
  }

  mutating func take(url operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed") }
    url = try URLText.argument(operand)
  }

  /// Scheme, host and port, as the daemon's parser splits the URL; of a proxy, its type instead of the
  /// scheme.
  struct Origin {
    let text: String
    let scheme: String
    let host: String
    let port: Int
    let isProxy: Bool
    /// The URL, as the daemon writes it.
    let url: String
    /// What callers of the session have chosen of the way there.
    let callersWays: [String]
    /// The server that a `Host` field of the session names in place of the URL's.
    let hostField: String?
    /// The settings of the session, as JSON.
    let settings: String
  }

  func origin(_ client: WatchwordClient) throws(Failure) -> Origin {
    guard let url else { throw .usage("the URL is missing") }
    let explained = try client.ask(
      Request.Explain(
        session: session, url: isProxy ? "http://localhost/" : url,
        proxies: isProxy ? .other(Request.Proxies(all: url)) : nil))
    let text = isProxy ? explained.proxy ?? "" : explained.origin
    let scheme = String(text.prefix { $0 != ":" })
    var host = text.dropFirst(scheme.count + 3)
    var port = scheme == "https" ? 443 : 80
    // The colons of an IPv6 address are inside its brackets.
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      port = Int(host[host.index(after: colon)...]) ?? port
      host = host[..<colon]
    }
    if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
    // Who resolves the names of origins makes no difference to the space.
    let type = scheme.hasPrefix("socks") ? String(scheme.prefix(6)) : scheme
    return Origin(
      text: type + text.dropFirst(scheme.count), scheme: type, host: String(host), port: port,
      isProxy: isProxy, url: explained.url,
      callersWays: isProxy ? explained.proxyCallersWays : explained.callersWays,
      hostField: isProxy ? nil : explained.hostField,
      settings: JSONText.of(try client.ask(Request.SessionDescribe(session: session)).configuration))
  }

  /// After a prompt: another program may have changed the session meanwhile.
  func check(_ origin: Origin, asBeforeThePrompt client: WatchwordClient) throws(Failure) {
    let now = try self.origin(client)
    guard now.callersWays == origin.callersWays, now.settings == origin.settings else {
      throw Failure(
        "the session's settings for \(DisplayText.escaped(origin.text)) changed during the prompt; nothing was stored",
        hint: "watchword sessions describe shows them")
    }
  }

  /// Whether a space that the daemon lists is one of those that the options name.
  func covers(_ found: Sent.ProtectionSpaceName, of origin: Origin) -> Bool {
    found.isProxy == origin.isProxy && SpaceText.origin(of: found, showsPort: true) == origin.text
      && (realm == nil || found.realmText == realm) && (method == nil || found.authenticationMethod == method)
      && (field == nil || found.field == field?.asciiLowercased)
  }

  /// - Parameter realm: nil: the credential is for any realm.
  /// - Parameter field: of a key.
  static func key(
    _ origin: Origin, realm: String?, method: String, field: String? = nil
  ) -> Request.ProtectionSpaceKey {
    Request.ProtectionSpaceKey(
      protocol: origin.scheme, host: origin.host, port: origin.port, realm: realm.map { .some($0) },
      authenticationMethod: method, field: field, isProxy: origin.isProxy ? true : nil)
  }
}

extension Sent.ProtectionSpaceName {
  /// What names the space in a request.
  var key: Request.ProtectionSpaceKey {
    Request.ProtectionSpaceKey(
      protocol: self.protocol, host: host, port: port, realm: realm, realmBytes: realmBytes,
      authenticationMethod: authenticationMethod, field: field, isProxy: isProxy, proxyType: proxyType)
  }
}
