internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// The proxy of a fetch, with curl's options and variables; without them the session's settings apply.
struct FetchProxy {
  /// curl's `-x`; empty: none.
  private var url: String?
  /// curl's `--proxy-user :`: the tickets of the daemon's account are sent to the proxy.
  private(set) var usesTickets = false
  private var user: String?
  /// curl's `--noproxy`.
  private var exceptions: [String]?
  /// Of the environment, without `-x`.
  private(set) var environment: EnvironmentProxies?

  /// The options of a command whose property this is.
  static func options<Verb: Command>(_ proxy: WritableKeyPath<Verb, FetchProxy>) -> [Option<Verb>] {
    [
      Option(
        "x", "proxy", "URL", "the proxy: http, https, socks4, socks4a, socks5 or socks5h; \"\" for none",
        takesOctets: true
      ) { (verb, url) throws(Failure) in try verb[keyPath: proxy].use(url) },
      Option("U", "proxy-user", "USER", "the proxy's user; the command prompts for the password") {
        (verb, user) throws(Failure) in try verb[keyPath: proxy].setUser(user)
      },
      Option(nil, "noproxy", "LIST", "hosts and networks without the proxy of -x; * for all") {
        $0[keyPath: proxy].except($1)
      },
    ]
  }

  mutating func use(_ text: String) throws(Failure) {
    url = text.isEmpty ? "" : try URLText.argument(text, ofProxy: true)
  }

  mutating func setUser(_ text: String) throws(Failure) {
    usesTickets = text == ":"
    guard !usesTickets else { return user = nil }
    if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      throw ReadableSecret.refusal(
        of: String(text[..<colon]), at: url ?? "http://PROXY", isProxy: true, in: "arguments")
    }
    guard !text.isEmpty else { throw .usage("--proxy-user needs a user") }
    user = text
  }

  mutating func except(_ list: String) {
    exceptions = ProxyExceptions.words(of: list)
  }

  /// The user of `--proxy-user`, or of the URL; nil: the person is asked for one.
  var givenUser: String? { user ?? url.flatMap(URLText.user) }

  /// `scheme://host:port` of an HTTP or HTTPS proxy.
  var origin: String? {
    guard let url, let scheme = ["http": 1080, "https": 443].first(where: { url.hasPrefix($0.key + "://") })
    else { return nil }
    let origin = URLText.origin(of: URLText.settingUser(nil, of: url))
    // What is behind the brackets of an IPv6 address.
    let rest = origin.utf8.dropFirst(scheme.key.utf8.count + 3).split(separator: UInt8(ascii: "]")).last
    return rest?.contains(UInt8(ascii: ":")) == true && origin.utf8.last != UInt8(ascii: "]")
      ? origin : "\(origin):\(scheme.value)"
  }

  /// Whether no proxy is used, whatever the settings of the session.
  private var isNone: Bool { url == "" || exceptions?.contains("*") == true }

  /// Without `-x` the proxies of the environment count, unless a session is named, which has its own.
  mutating func complete(session: String?) throws(Failure) {
    guard !isNone, url == nil else { return }
    if session == nil { environment = EnvironmentProxies(user: user, exceptions: exceptions) }
    guard environment == nil else { return }
    if user != nil { throw .usage("--proxy-user goes with -x, or a proxy of the environment") }
    if exceptions != nil {
      throw .usage(
        "--noproxy goes with -x, a proxy of the environment, or is *",
        hint: "no_proxy of the daemon's environment is for its proxies")
    }
  }

  /// The member `proxies` of a request for this URL; nil: the session's settings.
  mutating func proxies(
    for target: String, session: String?, _ client: WatchwordClient
  ) throws(Failure) -> TextOr<Request.Proxies>? {
    if isNone { return .text("none") }
    guard let url else {
      let proxies = try environment?.checked(for: target, session: session, client)
      if proxies == nil { environment = nil }
      return proxies.map { .other($0) }
    }
    let all = user.map { URLText.settingUser($0, of: url) } ?? url
    return .other(Request.Proxies(all: all, except: exceptions))
  }
}

/// The proxies that this program's own environment names, with curl's variables.
///
/// They are for its fetches, as `-x` is. The daemon, which knows what a proxy's URL and an exception are,
/// judges them.
struct EnvironmentProxies {
  /// A CGI program's `HTTP_PROXY` is a field of the request that it serves (CVE-2016-5385).
  private static let variables = [
    "http": ["http_proxy"], "https": ["https_proxy", "HTTPS_PROXY"], "all": ["all_proxy", "ALL_PROXY"],
    "except": ["no_proxy", "NO_PROXY"],
  ]

  private var urls: [String: (variable: String, url: String)] = [:]
  private var exceptions: [String] = []
  private let exceptionsVariable: String

  /// Nil when it names none.
  ///
  /// - Parameters:
  ///   - user: of every proxy, in place of one in a variable.
  ///   - exceptions: in place of those of the environment.
  init?(user: String?, exceptions: [String]?) {
    for scheme in ["http", "https", "all"] {
      guard let (variable, value) = Self.value(for: scheme) else { continue }
      let url = value.containsBytes(of: "://") ? value : "http://\(value)"
      urls[scheme] = (variable, user.map { URLText.settingUser($0, of: url) } ?? url)
    }
    guard !urls.isEmpty else { return nil }
    let named = Self.value(for: "except")
    exceptionsVariable = named?.variable ?? "--noproxy"
    self.exceptions = exceptions ?? named.map { ProxyExceptions.words(of: $0.value) } ?? []
  }

  private static func value(for member: String) -> (variable: String, value: String)? {
    for name in variables[member] ?? [] {
      if let value = Environment.value(of: name) { return (name, value) }
    }
    return nil
  }

  private var proxies: Request.Proxies {
    Request.Proxies(
      http: urls["http"]?.url, https: urls["https"]?.url, all: urls["all"]?.url, except: exceptions)
  }

  /// What the daemon takes of them; nil where a restricted connection chooses its own.
  ///
  /// An exception that is none is passed over with a warning, as in curl. A proxy that is none ends the
  /// command: the fetch would go past it.
  mutating func checked(
    for url: String, session: String?, _ client: WatchwordClient
  ) throws(Failure) -> Request.Proxies? {
    while true {
      do throws(ClientError) {
        try client.call(Request.Explain(session: session, url: url, proxies: .other(proxies)))
        return proxies
      } catch {
        guard case .refused(let remote) = error else { throw Failure(error) }
        if remote.kind == .restricted { return nil }
        guard remote.kind == .invalidParams, let path = remote.path,
          let member = path.split(separator: ".").last
        else { return proxies }
        if let (variable, _) = urls[String(member)] {
          throw Failure("\(variable) in the environment names no proxy that can be used", exitCode: .usage)
            .hinting("it is http://HOST:PORT or begins with https, socks4, socks4a, socks5 or socks5h")
        }
        guard let index = Self.index(of: member), exceptions.indices.contains(index) else { return proxies }
        let exception = exceptions.remove(at: index)
        Diagnostics.warn("\(exceptionsVariable): \(exception) is no exception of a proxy, and is passed over")
      }
    }
  }

  /// Of `except[3]`.
  private static func index(of member: Substring) -> Int? {
    guard member.hasPrefix("except["), member.hasSuffix("]") else { return nil }
    return Int(member.dropFirst("except[".count).dropLast())
  }
}

/// Lists of origins that are reached without a proxy, as `no_proxy` and `--noproxy` have them.
enum ProxyExceptions {
  static func words(of list: String) -> [String] {
    list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
  }
}
