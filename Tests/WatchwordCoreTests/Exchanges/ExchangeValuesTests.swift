import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What tells connections, requests and errors apart (challenges.md 10.7).
struct ExchangeValuesTests {
  private static func proxy(
    _ type: ProxyType = .https, resolvesNames: Bool = true, host: String = "p.example",
    userinfo: RequestURL.Userinfo? = nil
  ) -> Proxy {
    let scheme: WebScheme = type == .https ? .https : .http
    return Proxy(
      type, resolvesNames: resolvesNames,
      url: RequestURL(
        origin: Origin(scheme: scheme, host: host, port: 3128), path: "/", query: nil, userinfo: userinfo))
  }

  private static func route(bound: UInt64? = nil) -> ConnectionPartition.ProxyRoute {
    ConnectionPartition.ProxyRoute(proxy(), credential: nil, partition: .common, bound: bound)
  }

  /// A credential of a connection-bound method belongs to one connection, at either hop.
  @Test(arguments: [nil, 1] as [UInt64?], [nil, 2] as [UInt64?])
  func aPartitionIsOneConnectionWhenEitherHopsIs(_ origin: UInt64?, _ proxy: UInt64?) {
    var partition = ConnectionPartition(.common, proxy: Self.route(bound: proxy))
    partition.bound = origin
    #expect(partition.isOneConnection == (origin != nil || proxy != nil))
    partition.proxy = nil
    #expect(partition.isOneConnection == (origin != nil))
    #expect(!partition.isAskedForIdentities)
  }

  @Test func detailsAreTheSameByWhatTheySay() {
    func details(
      _ address: String? = "a", _ isProxy: Bool = false, _ isReused: Bool = false,
      _ version: AllowedVersions.TLS? = .tls13, _ line: String = "GET /"
    ) -> ExchangeDetails {
      ExchangeDetails(
        remoteAddress: address, isProxyConnection: isProxy, isReused: isReused,
        security: ExchangeDetails.Security(version: version, cipherSuite: nil, certificate: nil),
        requests: [ExchangeDetails.RequestHead(line: line, headers: [])])
    }
    let others = [
      details("b"), details("a", true), details("a", false, true), details("a", false, false, .tls12),
      details("a", false, false, .tls13, "PUT /"),
    ]
    #expect(details() == details())
    for (index, other) in others.enumerated() {
      #expect(details() != other && other == other, "\(index)")
      #expect(others.filter { $0 == other }.count == 1)
    }
  }

  /// Who gives an excuse or a certificate is asked; every other error ends the exchange.
  @Test func onlyAnUndecidedHandshakeIsAQuestion() {
    let request = CertificateRequest(issuers: [], keyTypes: [])
    let questions: [TransportError] = [
      .serverTrustUndecided(TrustScene.trust()), .clientCertificateUndecided(request),
    ]
    for error in questions { #expect(error.isQuestion && TransportError.atProxy(error).isQuestion) }
    let others: [TransportError] = [.cancelled, .bodyNotReplayable, .proxyMalformed(setting: "all")]
    for error in others {
      #expect(!error.isQuestion && !TransportError.atProxy(error).isQuestion)
    }
  }

  /// The first bytes of a server that speaks no TLS (RFC 8446 §5.1).
  @Test func theFirstBytesSayWhetherItIsTLS() {
    let records: [[UInt8]] = [[0x16, 3, 1], [20, 3], [24, 3], [0x16], []]
    for bytes in records { #expect(HandshakeFault(firstBytes: bytes) == nil) }
    let others: [[UInt8]] = [[19, 3], [25, 3], [0x16, 2], [0x16, 4], [0x41], Array("HTT".utf8)]
    for bytes in others { #expect(HandshakeFault(firstBytes: bytes) == .notTLS) }
    #expect(HandshakeFault(firstBytes: Array("HTTP/1.1".utf8)) == .plainHTTP)
  }

  @Test func onlyTwoAlertsMayBeTheSessionsOwnFault() {
    for fault in [HandshakeFault.handshakeFailure, .protocolVersion] { #expect(fault.isOfParameters) }
    for fault in [HandshakeFault.unrecognizedName, .plainHTTP, .notTLS] { #expect(!fault.isOfParameters) }
  }

  @Test(
    arguments: [
      ("bytes 0-4/10", .part(first: 0, last: 4, length: 10)),
      ("bytes 9-9/10", .part(first: 9, last: 9, length: 10)),
      ("bytes 9-10/10", nil), ("bytes 5-4/10", nil), ("bytes 0-4/*", .part(first: 0, last: 4, length: nil)),
      ("bytes */10", .unsatisfied(length: 10)), ("bytes */*", nil), ("bytes 0--4/10", nil),
      ("bytes -4/10", nil), ("bytes /0-4/10", nil), ("bytes 0-4//10", nil), ("bytes ", nil), ("bytes", nil),
    ] as [(String, ContentRange?)])
  func aRangeLiesWithinItsLength(text: String, range: ContentRange?) {
    #expect(ContentRange(text) == range)
  }

  // MARK: Proxies

  @Test func proxiesAreTheSameByTypeNamesAndAddress() {
    let one = Self.proxy(.socks5)
    #expect(one == Self.proxy(.socks5) && one.resolvesNames && one.text == "socks5h://p.example:3128")
    for other in [
      Self.proxy(.socks4), Self.proxy(.socks5, resolvesNames: false), Self.proxy(.socks5, host: "q.example"),
    ] { #expect(one != other && other == other) }
    #expect(Proxy(.socks4, url: one.url).text == "socks4a://p.example:3128")
  }

  @Test func rulesAreEmptyWithoutAnyEntry() {
    #expect(ProxyRules(.session).isEmpty)
    for path in [\ProxyRules.http, \.https, \.all] {
      var rules = ProxyRules(.session)
      rules[keyPath: path] = ProxyRules.Setting(name: "p", proxy: nil)
      #expect(!rules.isEmpty)
    }
  }

  /// A SOCKS4 proxy is told the name of its URL; the others are sent a password that they ask for (methods.md
  /// 15.7).
  @Test(
    arguments: [
      (ProxyType.http, "pw", "pw", true), (.https, "pw", "pw", true), (.socks5, "pw", "pw", false),
      (.socks4, "pw", "pw", false), (.socks4, nil, "", false), (.http, nil, nil, false),
      (.socks5, nil, nil, false),
    ] as [(ProxyType, String?, String?, Bool)])
  func theDaemonsOwnExchangesSendWhatTheURLHas(
    type: ProxyType, password: String?, sent: String?, hasField: Bool
  ) {
    let userinfo = RequestURL.Userinfo(user: "joe", password: password.map { Secret($0.utf8) })
    let hop = ProxyHop(ofDaemon: Self.proxy(type, userinfo: userinfo), to: TaskScene.origin)
    #expect(hop.credential == sent.map { .password(user: "joe", password: Secret($0.utf8)) })
    #expect((hop.authorization != nil) == hasField)
    #expect(hop.isLogin == (type.isSOCKS && sent != nil))
    let plain = ProxyHop(ofDaemon: Self.proxy(type), to: TaskScene.origin)
    #expect(plain.credential == nil && plain.authorization == nil && !plain.isLogin)
  }

  @Test(
    arguments: [
      ("10.0.0.0/32", true), ("10.0.0.0/33", false), ("::/128", true), ("::/129", false),
      ("a:65535", true), ("a:65536", false), ("a:0", false), ("a:00080", true), ("a:000080", false),
      (String(repeating: "a", count: 254), true), (String(repeating: "a", count: 255), false),
      ("0000:0000:0000:0000:0000:ffff:255.255.255.255", true),
    ])
  func anExceptionHasALongestLength(text: String, isRead: Bool) {
    #expect((ProxyException(text) != nil) == isRead)
  }

  // MARK: Negotiation

  @Test func onlySomeFaultsAreTheServersOrTheCredentials() {
    for fault in NegotiationFault.allCases {
      #expect(fault.isOfServer == [.tokenRefused, .mechanismRefused].contains(fault))
      #expect(fault.isRefusal == (fault == .credentialRefused))
    }
  }

  /// What is not said is not demanded of a connection or a request, and not claimed of a response.
  @Test func nothingIsDemandedThatIsNotSaid() {
    let request = ExchangeRequest(url: TaskScene.url(), method: "GET", headers: [], proxy: nil)
    #expect(!request.isAuthorizedLate && !request.sendsBody && !request.repetition.requiresHTTP1)
    #expect(!request.repetition.omitsExpect && !request.repetition.requiresNewConnection)
    #expect(!ExchangeSetup(body: .none, settings: ExchangeSettings()).isAskedForIdentities)
    let binding = ConnectionBinding()
    #expect(!binding.requiresReuse && !binding.omitsBody)
    #expect(!ConnectionPartition.common.isAskedForIdentities && !ExchangeMetrics().isReused)
    #expect(!ResponseHead(status: 200, headers: []).isOnReusedConnection)
    let use = CredentialUse(url: TaskScene.url(), method: "GET", process: nil, now: 0, wallClock: 0)
    #expect(!use.isRepeatable)
    let task = TaskScene().machine
    #expect(!task.forms.isRefusal && !task.forms.lacksField && !task.forms.isLoginAwaited)
    #expect(!task.isOnBoundConnection(at: .proxy) && !task.sharesNonce(of: TaskScene.space("r", .digest)))
  }
}
