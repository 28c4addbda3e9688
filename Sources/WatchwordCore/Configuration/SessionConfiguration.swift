package import WatchwordVocabulary

/// The settings of a session. Modelled on URLSessionConfiguration.
package struct SessionConfiguration: Sendable, Equatable {
  package enum Proxies: Sendable, Equatable {
    /// The daemon's environment.
    case environment
    case none
    case listed(ProxyList)
  }

  /// Proxies by their URLs, which may hold a password, as they were given.
  package struct ProxyList: Sendable, Equatable {
    package var http: Secret?
    package var https: Secret?
    package var all: Secret?
    package var except: [String] = []

    package init() {}

    /// A proxy's URL for display: what stands before its `@` is cut.
    package static func textWithoutUserinfo(of url: Secret) -> String {
      url.withBytes { bytes in
        let mark = Array("://".utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count } ?? 0
        let host = bytes.lastIndex(of: UInt8(ascii: "@")).map { max($0 + 1, start) } ?? start
        return String(decoding: bytes[..<start], as: UTF8.self)
          + String(decoding: bytes[host...], as: UTF8.self)
      }
    }
  }

  package typealias HTTPVersion = AllowedVersions.HTTP
  package typealias TLSBound = AllowedVersions.TLS

  package struct Challenges: Sendable, Equatable {
    package var deadlineSeconds = 300.0
    package var unanswered = UnansweredMeaning.cancel
    package var refusalBudget = 5

    package init() {}
  }

  package struct TLS: Sendable, Equatable {
    /// PEM; nil: only the system's roots.
    package var roots: String?
    package var rootsAreExclusive = false
    package var minimumVersion = TLSBound.tls12
    package var maximumVersion = TLSBound.tls13
    package var pins = PinSet()
    package var revocation = Revocation.off
    /// PEM of lists that chains are checked against.
    package var revocationLists: String?

    package init() {}

    /// Whether the roots of the user count beside these (challenges.md 10.14).
    package var takesUserRoots: Bool { roots == nil || !rootsAreExclusive }
  }

  package struct Timeouts: Sendable, Equatable {
    package var connectSeconds = 30.0
    package var requestSeconds = 60.0
    package var resourceSeconds = 604_800.0

    package init() {}
  }

  package struct Limits: Sendable, Equatable {
    package var inlineBodyBytes: Int64 = 8_388_608
    /// Of a body that is passed to the caller as a memory file. It uses the daemon's memory until the caller
    /// closes it.
    package var memoryBodyBytes: Int64 = 268_435_456
    package var decodedBodyBytes: Int64?

    package init() {}
  }

  /// A rule for login pages, as the caller has written it.
  package struct Form: Sendable, Equatable {
    /// A URL whose path may end in `*`.
    package var page: String
    package var when = FormRule.Condition()
    package var userField: String
    package var passwordField: String
    package var success = FormRule.Condition()

    package init(page: String, userField: String, passwordField: String) {
      self.page = page
      self.userField = userField
      self.passwordField = passwordField
    }
  }

  package struct Addresses: Sendable, Equatable {
    /// `host:port` to an address, in the order given.
    package var resolve: [Resolution] = []
    /// Origins that may be fetched; nil for all.
    package var allowOrigins: [String]?
    package var refusePrivate = false

    package init() {}
  }

  package struct Resolution: Sendable, Equatable {
    package let hostAndPort: String
    package let address: String

    package init(hostAndPort: String, address: String) {
      self.hostAndPort = hostAndPort
      self.address = address
    }
  }

  package var credentialStorage = CredentialStorage.shared
  package var methods = MethodPolicy()
  package var challenges = Challenges()
  package var tls = TLS()
  package var proxies = Proxies.environment
  package var redirects = RedirectPolicy()
  package var timeouts = Timeouts()
  package var headers: [HeaderField] = []
  package var cookies = Cookies.accept
  package var idleSeconds = 28_800.0
  package var connectionsPerHost = 6
  package var httpVersions = HTTPVersion.allCases
  package var limits = Limits()
  package var addresses = Addresses()
  /// Users and passwords of hosts, from outside the session.
  package var netrc: Netrc?
  package var forms: [Form] = []

  package init() {}
}

extension AllowedVersions {
  /// Those of a session.
  package init(_ configuration: SessionConfiguration) {
    self.init(
      minimumTLS: configuration.tls.minimumVersion, maximumTLS: configuration.tls.maximumVersion,
      allowsHTTP2: configuration.httpVersions.contains(.http2))
  }
}

/// What a change of a session's configuration concerns (messages.md 4.17 to 4.19).
package struct SessionConfigurationChange: Equatable {
  /// Whether another server may be reached, trusted or meant than before, or passwords go in cleartext that
  /// did not. What the session has was given for the servers of the previous settings; a caller could send it
  /// to a server of its own.
  package let leadsElsewhere: Bool
  /// Whether connections that are open were made under other settings than later ones.
  package let concernsConnections: Bool

  package init(from old: SessionConfiguration, to new: SessionConfiguration) {
    var tls = old.tls
    // Which of the two is spoken says nothing about who speaks it.
    tls.minimumVersion = new.tls.minimumVersion
    tls.maximumVersion = new.tls.maximumVersion
    leadsElsewhere =
      tls != new.tls || old.proxies != new.proxies || old.addresses != new.addresses
      || old.host != new.host || old.forms != new.forms
      || !old.methods.basicOverCleartext && new.methods.basicOverCleartext
    concernsConnections =
      leadsElsewhere || old.tls != new.tls || old.connectionsPerHost != new.connectionsPerHost
      || old.httpVersions != new.httpVersions || old.cookies != new.cookies
      || old.limits.decodedBodyBytes != new.limits.decodedBodyBytes
  }
}

extension SessionConfiguration {
  /// The virtual host that the session's fields name in place of the URL's.
  fileprivate var host: String? { headers.first("host") }

  /// Removes the passwords of these settings: they were given for the servers of other ones (messages.md
  /// 4.17).
  package mutating func dropPasswords(netrc isOfNetrc: Bool, proxies isOfProxies: Bool) {
    if isOfNetrc { netrc = nil }
    guard isOfProxies, case .listed(var list) = proxies else { return }
    for proxy in [\ProxyList.http, \ProxyList.https, \ProxyList.all] {
      list[keyPath: proxy] = list[keyPath: proxy].map { url in
        Secret(Array(ProxyList.textWithoutUserinfo(of: url).utf8))
      }
    }
    proxies = .listed(list)
  }
}

extension SessionConfiguration {
  /// Bytes that it takes: a caller can make its texts as long as a message, or as many as one holds.
  package var heldBytes: Int {
    var count = (tls.roots?.utf8.count ?? 0) + (tls.revocationLists?.utf8.count ?? 0) + headers.heldBytes
    for resolution in addresses.resolve {
      count += HeldBytes.text(resolution.hostAndPort) + HeldBytes.text(resolution.address)
    }
    // The list, and the set of what was read from it.
    for origin in addresses.allowOrigins ?? [] { count += 2 * HeldBytes.text(origin) }
    for origin in methods.negotiate.ambientOrigins { count += 2 * HeldBytes.text(origin) }
    count += proxies.heldBytes
    for rule in tls.pins.rules { count += HeldBytes.text(rule.host.text) + rule.publicKeys.count * 32 }
    for form in forms { count += form.heldBytes }
    return count + (netrc?.heldBytes ?? 0)
  }
}

extension SessionConfiguration.Form {
  /// Of the form, and of the rule that is made of it.
  fileprivate var heldBytes: Int {
    let texts = [page, userField, passwordField, when.selector?.text, success.selector?.text]
    return 2 * texts.reduce(0) { $0 + HeldBytes.text($1 ?? "") }
  }
}

extension SessionConfiguration.Proxies {
  package var heldBytes: Int {
    guard case .listed(let list) = self else { return 0 }
    let urls = [list.http, list.https, list.all].reduce(0) { $0 + ($1?.count ?? 0) }
    // The list, and the rules that are made of it.
    return list.except.reduce(urls) { $0 + 2 * HeldBytes.text($1) }
  }
}

extension SessionConfiguration.Revocation {
  /// With the check that the administrator requires; a stricter setting stays.
  package var withCheck: Self {
    switch self {
    case .off, .stapled, .required: .required
    case .stapleRequired: .stapleRequired
    }
  }
}
