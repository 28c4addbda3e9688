internal import WatchwordMessages

/// The authentication methods that curl's `--basic`, `--digest`, `--negotiate`, `--ntlm` and
/// `--oauth2-bearer` limit a fetch to.
struct FetchMethods {
  /// Those that can be limited to.
  private static let all = ["negotiate", "bearer", "digest", "ntlm", "basic"]

  /// Those that the options name; empty: no limit.
  private var allowed: Set<String> = []
  /// curl's `-u :`: the tickets of the daemon's account are sent to the URLs' origins.
  var usesTickets = false
  /// curl's `--proxy-negotiate`.
  var usesNegotiateAtProxy = false
  /// The proxy that the same tickets are sent to.
  private var proxyForTickets: String?
  /// The origins of the URLs.
  private var origins: [String] = []

  /// Whether a session needs settings for them.
  var isSet: Bool { isLimited || proxyForTickets != nil }

  var isLimited: Bool { !allowed.isEmpty }
  private var usesNegotiate: Bool { allowed.contains("negotiate") }

  mutating func allow(_ method: String) { allowed.insert(method) }

  func allows(_ method: String) -> Bool { allowed.isEmpty || allowed.contains(method) }

  /// curl's `--anyauth`.
  mutating func allowAll() { allowed = [] }

  /// The methods that this command is asked about.
  var names: [String] {
    (usesNegotiate || usesNegotiateAtProxy ? ["negotiate"] : []) + (allowed.contains("ntlm") ? ["ntlm"] : [])
  }

  /// Whether an origin asks for what the command was allowed at the proxy only.
  func isForProxyOnly(_ space: Sent.ProtectionSpace) -> Bool {
    space.authenticationMethod == "negotiate" && !space.isProxy && !usesNegotiate
  }

  /// - Parameter url: with a scheme and without a user.
  mutating func complete(for url: String) throws(Failure) {
    guard !usesTickets || usesNegotiate else {
      throw .usage("-u : needs --negotiate", hint: "without --negotiate, -u takes a user")
    }
    let origin = URLText.origin(of: url)
    if !origins.contains(origin) { origins.append(origin) }
  }

  mutating func complete(for proxy: FetchProxy) throws(Failure) {
    guard usesNegotiateAtProxy else {
      guard proxy.usesTickets else { return }
      throw .usage("--proxy-user : needs --proxy-negotiate")
    }
    guard let origin = proxy.origin else {
      throw .usage("--proxy-negotiate goes with -x and the URL of an HTTP or HTTPS proxy")
    }
    if proxy.givenUser == nil { proxyForTickets = origin }
  }

  /// The member `methods` of a session's configuration.
  var configuration: Request.SessionConfigurationMethods {
    let isNeeded = { (method: String) in
      allowed.contains(method) || method == "negotiate" && usesNegotiateAtProxy
    }
    let disabled = Self.all.filter { !isNeeded($0) }
    let origins = (usesTickets ? origins : []) + (proxyForTickets.map { [$0] } ?? [])
    return Request.SessionConfigurationMethods(
      disabled: isLimited ? disabled : nil,
      negotiate: origins.isEmpty
        ? nil : Request.SessionConfigurationMethodsNegotiate(ambientOrigins: origins))
  }
}
