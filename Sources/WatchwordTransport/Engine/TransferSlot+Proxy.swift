internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The way through a proxy. libcurl speaks to it and opens tunnels; its authentication is not used.
extension TransferSlot {
  func setProxy(_ hop: ProxyHop, to origin: Origin) -> CURLcode {
    if hop.tunnel == .open { return setOpenTunnel(hop) }
    let names = hop.proxy.resolvesNames ? [hop.proxy.origin] : [hop.proxy.origin, origin]
    let use = ProxyUse(hop, addresses: pool?.resolve.copy(for: names))
    proxy = use
    var result = transport_easy_set_text(easy, CURLOPT_PROXY, hop.proxy.text)
    func set(_ option: CURLoption, _ value: Int) {
      if result == CURLE_OK { result = transport_easy_set_long(easy, option, value) }
    }
    func set(_ option: CURLoption, _ value: String?) {
      if result == CURLE_OK { result = transport_easy_set_text(easy, option, value) }
    }
    func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) {
      if result == CURLE_OK, let list { result = transport_easy_set_pointer(easy, option, list) }
    }
    if result == CURLE_OK { result = use.explain(on: easy) }
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_RESOLVE, list: use.addresses)
    // The fields for the origin are not sent with CONNECT (CVE-2015-3153).
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    switch hop.proxy.type {
    case .http: break
    case .https:
      // As for origins: our own verification replaces libcurl's.
      set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
      set(CURLOPT_PROXY_SSL_VERIFYHOST, 0)
      set(CURLOPT_PROXY_CAINFO, nil)
      set(CURLOPT_PROXY_CAPATH, nil)
      if let configuration = pool?.configuration {
        set(CURLOPT_PROXY_SSLVERSION, Self.versions(configuration))
      }
    case .socks4, .socks5:
      set(CURLOPT_SOCKS5_AUTH, Self.socksAuthentication)
      if result == CURLE_OK { result = setPassword(hop.credential) }
      return result
    }
    if let authorization = hop.authorization {
      set(CURLOPT_PROXYHEADER, list: use.fields.write(authorization))
    }
    return result
  }

  /// `CURLAUTH_BASIC`: user and password, or none (RFC 1928 §3); GSSAPI would use the daemon's own tickets.
  private static let socksAuthentication = 1

  /// RFC 1929. libcurl's memory is wiped when it is freed, which for a connection is when it is closed.
  private func setPassword(_ credential: Credential.Kind?) -> CURLcode {
    guard case .password(let user, let password) = credential else { return CURLE_OK }
    let result = transport_easy_set_text(easy, CURLOPT_PROXYUSERNAME, user)
    guard result == CURLE_OK else { return result }
    return password.withBytes { bytes in
      transport_easy_set_bytes(easy, CURLOPT_PROXYPASSWORD, bytes.baseAddress, bytes.count)
    }
  }

  // MARK: Tunnels on one connection

  /// A request for a tunnel that is an exchange like any other, and can be refused without losing its
  /// connection.
  func setTunnelRequest(_ hop: ProxyHop, to origin: Origin) -> CURLcode {
    let use = ProxyUse(hop, addresses: pool?.resolve.copy(for: [hop.proxy.origin]))
    proxy = use
    let target = "\(origin.bracketedHost):\(origin.port)"
    let fields = use.fields.write(
      [HeaderField("Host", target)], leavingOutLength: false,
      extra: ["Accept:", "Proxy-Connection: Keep-Alive"], authorization: hop.authorization, cookies: nil)
    var result = transport_easy_set_text(easy, CURLOPT_URL, hop.proxy.text + "/")
    if result == CURLE_OK { result = transport_easy_set_text(easy, CURLOPT_REQUEST_TARGET, target) }
    if result == CURLE_OK { result = transport_easy_set_text(easy, CURLOPT_CUSTOMREQUEST, "CONNECT") }
    if result == CURLE_OK { result = transport_easy_set_pointer(easy, CURLOPT_HTTPHEADER, fields) }
    if result == CURLE_OK, let addresses = use.addresses {
      result = transport_easy_set_pointer(easy, CURLOPT_RESOLVE, addresses)
    }
    return result
  }

  /// The response of a proxy that opens the tunnel: what follows is no body, and libcurl gives the connection
  /// up.
  func noteAgreement(_ head: ResponseHead) {
    guard proxy?.hop.tunnel == .requested, 200..<300 ~= head.status, let pool else { return }
    transfer.opensTunnel = true
    pool.tunnel.keepNext()
    _ = transport_easy_set_long(easy, CURLOPT_FORBID_REUSE, 1)
    pool.putOff(.endTunnelRequest(self))
  }

  /// The origin as if it were at the other end of the socket, whose name is not looked up.
  private func setOpenTunnel(_ hop: ProxyHop) -> CURLcode {
    // Never connected to: the socket that is given for it is connected.
    let use = ProxyUse(hop, addresses: curl_slist_append(nil, "::127.0.0.1:9"))
    proxy = use
    guard let addresses = use.addresses else { return CURLE_OUT_OF_MEMORY }
    let result = transport_easy_set_pointer(easy, CURLOPT_CONNECT_TO, addresses)
    return result == CURLE_OK ? transport_easy_set_connected(easy) : result
  }

  func openTunnel() -> curl_socket_t {
    guard let socket = pool?.takeTunnel() else {
      fail(.boundConnectionLost)
      return CURL_SOCKET_BAD
    }
    transfer.sockets.append(socket)
    return socket
  }

  // MARK: Credentials

  /// A connection is about to be made: the value that is computed now is for the request for a tunnel. False
  /// when the exchange has ended.
  func beginsTunnel() -> Bool {
    guard let proxy else { return true }
    proxy.handshakes = 0
    guard proxy.hop.isTunnel, transfer.sockets.isEmpty else { return true }
    return authorizeAtProxy(proxy)
  }

  /// The request is about to be written: to the proxy itself, when there is no tunnel. False when it cannot be
  /// sent.
  func authorizeAtProxy() -> Bool {
    guard let proxy, !proxy.hop.isTunnel else { return true }
    return authorizeAtProxy(proxy)
  }

  private func authorizeAtProxy(_ proxy: ProxyUse) -> Bool {
    guard proxy.hop.isAuthorizedLate, !proxy.isAuthorized else { return true }
    proxy.isAuthorized = true
    guard let value = exchange.delegate?.proxyAuthorization(for: exchange) else { return isRunning }
    guard RequestFault.isValue(value) else { return false }
    return transport_easy_set_pointer(easy, CURLOPT_PROXYHEADER, proxy.fields.write(value)) == CURLE_OK
  }

  // MARK: Responses

  /// Whether what arrives now is the proxy's answer to the request for a tunnel.
  var isOfProxy: Bool { proxy?.hop.isTunnel == true && !transfer.isSent }

  /// The body of a refusal is never read: the transfer ends with the head.
  func receiveProxyHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(ResponseHeadParser.HeadFault) {
      // No request asks for an interim response, and libcurl takes one for the answer.
      guard !bytes.starts(with: "HTTP/2".utf8), var head = try ResponseHeadParser.parse(bytes) else {
        throw .malformed
      }
      // There is TLS with the proxy only, so far.
      head.serverEndPoint = serverEndPoint()
      head.details = detailsOfHead()
      switch head.status {
      case 200..<300:
        noteTunnel(head)
        return isRunning
      case 407: fail(.proxyAuthenticationRequired(head))
      default: fail(.proxyRefused(head))
      }
    } catch {
      switch error {
      case .tooLarge: fail(.atProxy(.headersTooLarge))
      case .malformed: fail(.atProxy(.malformedResponse))
      }
    }
    return false
  }

  /// There is a tunnel; a SOCKS proxy does not say more.
  func noteTunnel(_ head: ResponseHead? = nil) {
    guard let proxy, proxy.hop.isTunnel, proxy.hop.tunnel == .implicit, !proxy.isTunnelNoted,
      !transfer.sockets.isEmpty
    else { return }
    proxy.isTunnelNoted = true
    exchange.delegate?.exchange(exchange, didOpenTunnel: head)
  }

  // MARK: The end

  /// Why the exchange failed, when it was due to the proxy or on the way through it; nil for every other
  /// reason.
  func proxyError(_ end: ExchangeEnd) -> TransportError? {
    guard let proxy, let error = end.error else { return nil }
    if proxy.hop.tunnel == .requested, error != .boundConnectionLost { return .atProxy(error) }
    if end.failure == nil, end.code == CURLE_PROXY { return socksError(proxy.hop) }
    switch error {
    case .connectionLost where end.code == CURLE_RECV_ERROR && proxy.isLineTooLong:
      return .atProxy(.headersTooLarge)
    case .nameNotResolved, .connectionFailed, .timedOut(.connect), .connectionLost, .addressRefused:
      return .atProxy(error)
    case .malformedResponse, .headersTooLarge, .connectionFlooded, .other:
      return transfer.isSent ? nil : .atProxy(error)
    case .tlsFailed where end.code == CURLE_SSL_CONNECT_ERROR && transfer.handshake?.isLost == true:
      return .atProxy(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, processed: .no)))
    case .tlsFailed, .clientCertificateRefused, .clientCertificateUndecided:
      return transfer.handshake?.hop == .proxy ? .atProxy(error) : nil
    case .timedOut, .bodyTooLarge, .contentDecodingFailed, .overBudget, .serverTrustUndecided,
      .serverTrustRejected,
      .boundConnectionLost, .bodyNotReplayable, .requestBodyFailed, .cancelled, .proxyAuthenticationRequired,
      .proxyRefused,
      .socksRefused, .proxyMalformed, .atProxy:
      return nil
    }
  }

  private func socksError(_ hop: ProxyHop) -> TransportError {
    var number = 0
    transport_easy_get_proxy_error(easy, &number)
    switch CURLproxycode(rawValue: UInt32(truncatingIfNeeded: number)) {
    case CURLPX_RESOLVE_HOST: return .nameNotResolved
    case CURLPX_NO_AUTH where hop.credential == nil, CURLPX_USER_REJECTED:
      return .loginRefused
    case CURLPX_CLOSED, CURLPX_RECV_CONNECT, CURLPX_RECV_AUTH, CURLPX_RECV_ADDRESS, CURLPX_RECV_REQACK,
      CURLPX_SEND_AUTH, CURLPX_SEND_CONNECT, CURLPX_SEND_REQUEST:
      return .atProxy(.connectionLost(ConnectionLoss(isBeforeFirstByte: true, processed: .no)))
    case let code: return .socksRefused(SOCKSFault(code))
    }
  }
}

extension SOCKSFault {
  fileprivate init(_ code: CURLproxycode) {
    self =
      switch code {
      case CURLPX_NO_AUTH, CURLPX_GSSAPI: .noAcceptableMethod
      case CURLPX_REPLY_GENERAL_SERVER_FAILURE: .generalFailure
      case CURLPX_REPLY_NOT_ALLOWED: .connectionNotAllowed
      case CURLPX_REPLY_NETWORK_UNREACHABLE: .networkUnreachable
      case CURLPX_REPLY_HOST_UNREACHABLE: .hostUnreachable
      case CURLPX_REPLY_CONNECTION_REFUSED: .connectionRefused
      case CURLPX_REPLY_TTL_EXPIRED: .timeToLiveExpired
      case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: .commandNotSupported
      case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_BAD_ADDRESS_TYPE: .addressTypeNotSupported
      case CURLPX_BAD_VERSION: .malformedReply
      default: .refused
      }
  }
}

extension RequestFields {
  /// The list of this field alone.
  fileprivate func write(_ credential: Secret) -> UnsafeMutablePointer<curl_slist>? {
    write([], leavingOutLength: false, extra: [], authorization: credential, cookies: nil)
  }
}

/// A tunnel between the exchange that has asked a proxy for it and the exchange that goes through it.
///
/// libcurl 7.88 closes the connection of its own request for a tunnel when the proxy refuses it. Methods of
/// authentication that need several requests on one connection therefore ask in exchanges like any other;
/// when the proxy agrees, the socket is kept while libcurl closes the connection, and given back to it as one
/// that is connected.
struct OpenTunnel {
  private var socket: Int32?
  /// Whether the next connection that libcurl closes is a tunnel.
  private var isClosing = false

  /// The connection that libcurl is about to close is one.
  mutating func keepNext() { isClosing = true }

  /// Whether the socket is kept, which libcurl closes.
  mutating func keeps(_ closed: Int32) -> Bool {
    guard isClosing else { return false }
    close()
    socket = closed
    return true
  }

  mutating func handOver() -> Int32? { socket.take() }

  mutating func close() {
    isClosing = false
    if let socket { _ = Glibc.close(socket) }
    socket = nil
  }
}
