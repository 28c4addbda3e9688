package import WatchwordSecret
package import WatchwordVocabulary

/// The settings of a session. Modelled on URLSessionConfiguration.
package struct SessionConfiguration: Sendable, Equatable {
  package enum CredentialStorage: String, Sendable, CaseIterable {
    case shared
    case `private`
  }

  package enum Cookies: String, Sendable, CaseIterable {
    case accept
    /// Only cookies whose domain is exactly the host that set them.
    case originOnly
    case never
  }

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

  /// The required proof that a server certificate is not revoked, beyond revocation lists.
  package enum Revocation: String, Sendable, CaseIterable {
    /// Only what the certificate itself requires.
    case off
    /// An OCSP response that the server sends is checked.
    case stapled
    /// There must be a good response, or a list of the certificate's issuer.
    case required
    /// There must be a good response, regardless of lists.
    case stapleRequired

    /// With the check that the administrator requires; a stricter setting stays.
    package var withCheck: Revocation {
      switch self {
      case .off, .stapled, .required: .required
      case .stapleRequired: .stapleRequired
      }
    }
  }

  package struct Timeouts: Sendable, Equatable {
    package var connectSeconds = 30.0
    package var requestSeconds = 60.0
    package var resourceSeconds = 604_800.0

    package init() {}
  }

  package struct Limits: Sendable, Equatable {
    package var inlineBodyBytes: Int64 = 8_388_608
    /// Of a body that is passed to the caller as a memory file. It uses the daemon's memory until the caller closes
    /// it.
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
