internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// The proxies that this program's own environment names, with curl's variables.
///
/// They are for its fetches, as `-x` is. The daemon, which knows what a proxy's URL and an exception are, judges them.
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
      if let value = SocketPath.environment(name) { return (name, value) }
    }
    return nil
  }

  private var proxies: Request.Proxies {
    Request.Proxies(
      http: urls["http"]?.url, https: urls["https"]?.url, all: urls["all"]?.url, except: exceptions)
  }

  /// What the daemon takes of them; nil where a restricted connection chooses its own.
  ///
  /// An exception that is none is passed over with a warning, as in curl. A proxy that is none ends the command: the
  /// fetch would go past it.
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
