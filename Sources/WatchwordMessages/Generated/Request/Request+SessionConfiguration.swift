package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// A session's settings, all optional. They count when the session is made, and change with
  /// session/configure (messages.md 4.16).
  package struct SessionConfiguration: SentObject {
    /// Whether the session goes by what is permanent and may add to it; private: an ephemeral session,
    /// without permanent credentials and decisions.
    package let credentialStorage: String?
    /// Authentication methods.
    package let methods: Request.SessionConfigurationMethods?
    /// How challenges end.
    package let challenges: Request.SessionConfigurationChallenges?
    /// TLS to origins.
    package let tls: Request.SessionConfigurationTls?
    /// Which proxies lead to the origins of the session (messages.md 14.8).
    package let proxies: TextOr<Request.Proxies>?
    /// What a 3xx does (messages.md, section 9).
    package let redirects: Request.SessionConfigurationRedirects?
    /// Defaults for the session's tasks.
    package let timeouts: Request.Timeouts?
    /// Fields added to every request of the session that does not set them itself.
    package let headers: [HeaderField]?
    /// Which cookies the session keeps (messages.md, section 10).
    package let cookies: String?
    /// Not in this version: only none (messages.md 14.2).
    package let cache: String?
    /// How long a named session outlives its last holder and task.
    package let idleSeconds: Double?
    /// Connections to one host, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together.
    package let connectionsPerHost: Int?
    /// HTTP versions to use; the server chooses among them.
    package let httpVersions: [String]?
    /// Bounds on response bodies.
    package let limits: Request.SessionConfigurationLimits?
    /// Where the session may connect.
    package let addresses: Request.SessionConfigurationAddresses?
    /// Users and passwords of hosts, which the session may use (messages.md 14.7).
    package let netrc: Request.SessionConfigurationNetrc?
    /// Pages that are login forms: a task that meets one raises a challenge (messages.md 14.14).
    package let forms: [Request.LoginFormRule]?

    package init(
      credentialStorage: String? = nil, methods: Request.SessionConfigurationMethods? = nil,
      challenges: Request.SessionConfigurationChallenges? = nil, tls: Request.SessionConfigurationTls? = nil,
      proxies: TextOr<Request.Proxies>? = nil, redirects: Request.SessionConfigurationRedirects? = nil,
      timeouts: Request.Timeouts? = nil, headers: [HeaderField]? = nil, cookies: String? = nil,
      cache: String? = nil, idleSeconds: Double? = nil, connectionsPerHost: Int? = nil,
      httpVersions: [String]? = nil, limits: Request.SessionConfigurationLimits? = nil,
      addresses: Request.SessionConfigurationAddresses? = nil,
      netrc: Request.SessionConfigurationNetrc? = nil, forms: [Request.LoginFormRule]? = nil
    ) {
      self.credentialStorage = credentialStorage
      self.methods = methods
      self.challenges = challenges
      self.tls = tls
      self.proxies = proxies
      self.redirects = redirects
      self.timeouts = timeouts
      self.headers = headers
      self.cookies = cookies
      self.cache = cache
      self.idleSeconds = idleSeconds
      self.connectionsPerHost = connectionsPerHost
      self.httpVersions = httpVersions
      self.limits = limits
      self.addresses = addresses
      self.netrc = netrc
      self.forms = forms
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let credentialStorage { writer.member("credentialStorage", credentialStorage) }
      if let methods { writer.member("methods", methods) }
      if let challenges { writer.member("challenges", challenges) }
      if let tls { writer.member("tls", tls) }
      if let proxies { writer.member("proxies", proxies) }
      if let redirects { writer.member("redirects", redirects) }
      if let timeouts { writer.member("timeouts", timeouts) }
      if let headers { writer.member("headers", headers) }
      if let cookies { writer.member("cookies", cookies) }
      if let cache { writer.member("cache", cache) }
      if let idleSeconds { writer.member("idleSeconds", idleSeconds) }
      if let connectionsPerHost { writer.member("connectionsPerHost", connectionsPerHost) }
      if let httpVersions { writer.member("httpVersions", httpVersions) }
      if let limits { writer.member("limits", limits) }
      if let addresses { writer.member("addresses", addresses) }
      if let netrc { writer.member("netrc", netrc) }
      if let forms { writer.member("forms", forms) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      credentialStorage = try object.memberIfPresent("credentialStorage")
      methods = try object.memberIfPresent("methods")
      challenges = try object.memberIfPresent("challenges")
      tls = try object.memberIfPresent("tls")
      proxies = try object.memberIfPresent("proxies")
      redirects = try object.memberIfPresent("redirects")
      timeouts = try object.memberIfPresent("timeouts")
      headers = try object.memberIfPresent("headers")
      cookies = try object.memberIfPresent("cookies")
      cache = try object.memberIfPresent("cache")
      idleSeconds = try object.memberIfPresent("idleSeconds")
      connectionsPerHost = try object.memberIfPresent("connectionsPerHost")
      httpVersions = try object.memberIfPresent("httpVersions")
      limits = try object.memberIfPresent("limits")
      addresses = try object.memberIfPresent("addresses")
      netrc = try object.memberIfPresent("netrc")
      forms = try object.memberIfPresent("forms")
    }
  }
}
