internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The options that every exchange of a pool shares.
extension TransferSlot {
  /// Bytes that libcurl reads at a time. More gains nothing (1 GiB over loopback), and 64 exchanges in flight
  /// may each hold one such buffer.
  static let bufferBytes = 262_144
  static let uploadBufferBytes = 131_072

  func setUp(_ pool: ConnectionPool) -> CURLcode {
    var result = CURLE_OK
    func set(_ option: CURLoption, _ value: Int) {
      if result == CURLE_OK { result = transport_easy_set_long(easy, option, value) }
    }
    func set(_ option: CURLoption, _ value: StaticString) {
      let text = UnsafeRawPointer(value.utf8Start).assumingMemoryBound(to: CChar.self)
      if result == CURLE_OK { result = transport_easy_set_text(easy, option, text) }
    }
    func clear(_ option: CURLoption) {
      if result == CURLE_OK { result = transport_easy_set_text(easy, option, nil) }
    }
    let configuration = pool.configuration
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, isSecure ? "http,https" : "http")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_HTTPAUTH, 0)
    set(CURLOPT_PROXYAUTH, 0)
    set(CURLOPT_NETRC, 0)
    // An empty name, or libcurl takes proxies from the daemon's environment.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOPROXY, "*")
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    // Or a cancelled exchange would wait for getaddrinfo.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_BUFFERSIZE, Self.bufferBytes)
    switch configuration.ipVersion {
    case .ipv4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    case nil: break
    }
    if isSecure {
      // Wait for the first connection to say whether it is HTTP/2, instead of opening one for each exchange.
      set(CURLOPT_PIPEWAIT, configuration.allowsHTTP2 ? 1 : 0)
      set(CURLOPT_SSLVERSION, Self.versions(configuration))
      set(CURLOPT_SSL_VERIFYPEER, 1)
      // Default evaluation looks at the name; libcurl would refuse once more what a decision excuses.
      set(CURLOPT_SSL_VERIFYHOST, 0)
      clear(CURLOPT_CAINFO)
      clear(CURLOPT_CAPATH)
      set(CURLOPT_CA_CACHE_TIMEOUT, 0)
      // Its TLS sessions end with the handle; ours are in `Resumptions`.
      set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    head.pointee.context = context
    head.pointee.limit = ResponseHeadParser.maximumBytes
    head.pointee.complete = TransferCallbacks.head
    var callbacks = TransferCallbacks.all
    callbacks.exchange = context
    callbacks.engine = Unmanaged.passUnretained(pool).toOpaque()
    callbacks.head = head
    if !isSecure { callbacks.tls = nil }
    if case .none = exchange.setup.body { (callbacks.read, callbacks.seek) = (nil, nil) }
    if result == CURLE_OK { result = transport_easy_set_callbacks(easy, &callbacks) }
    return result
  }

  /// Whether TLS is spoken, to the origin or to its proxy. A handle without it cannot speak it.
  private var isSecure: Bool {
    guard let request = exchange.request else { return true }
    return request.url.origin.isSecure || request.proxy?.proxy.origin.isSecure == true
  }

  func httpVersion(requiresHTTP1: Bool) -> Int {
    let allowsHTTP2 = pool?.configuration.allowsHTTP2 ?? false
    return allowsHTTP2 && !requiresHTTP1 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1)
  }

  static func versions(_ configuration: EngineConfiguration) -> Int {
    let minimum =
      switch configuration.minimumTLSVersion {
      case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
      case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
      }
    let maximum =
      switch configuration.maximumTLSVersion {
      case .tls12: Int(CURL_SSLVERSION_MAX_TLSv1_2)
      case .tls13: Int(CURL_SSLVERSION_MAX_TLSv1_3)
      }
    return minimum | maximum
  }
}
