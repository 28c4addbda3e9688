internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// The options that belong to one exchange.
extension TransferSlot {
  /// Bodies up to here go out with the header fields in one write; libcurl's own bound.
  private static let inlineBodyBytes = 65_536
  /// For a connect timeout that was switched off: libcurl takes 0 for five minutes.
  static let endlessMilliseconds = Int(Int32.max)

  func prepare() throws(TransportError) {
    guard let request = exchange.request else { throw .cancelled }
    if let hop = request.proxy, hop.tunnel == .requested {
      try check(setTunnelRequest(hop, to: request.url.origin))
      return try setRareOptions(to: request.url.origin)
    }
    let traits = RequestTraits(request.headers)
    var extra: [StaticString] = []
    try setBody(of: request, traits, &extra)
    if !traits.choosesCodings {
      // A part of a coded body cannot be decoded (RFC 9110 §14.2).
      if traits.hasRange {
        extra.append("Accept-Encoding: identity")
      } else if exchange.setup.settings.decodesContent {
        extra.append(ContentDecoding.offered)
      }
    }
    // Cookies of the session would be added to the caller's, or be chosen by the caller's `Host`.
    transfer.takesCookies = !traits.choosesCookies
    let list = fields.write(
      request.headers, leavingOutLength: traits.hasLength, extra: extra, authorization: request.authorization,
      cookies: transfer.takesCookies ? cookies?.field(for: request.url) : nil)
    try check(transport_easy_set_pointer(easy, CURLOPT_HTTPHEADER, list))
    try check(setURL(request.url))
    if let hop = request.proxy {
      try check(setProxy(hop, to: request.url.origin))
    } else if let line = pool?.resolve.line(for: request.url.origin) {
      try check(transport_easy_set_pointer(easy, CURLOPT_RESOLVE, line))
    }
    try setRareOptions(to: request.url.origin)
  }

  /// Those of the task, or of the session.
  var cookies: SessionCookies? { exchange.delegate?.cookies(for: exchange) ?? pool?.cookies }

  private var account: UInt32 { pool?.configuration.uid ?? getuid() }

  private func setBody(
    of request: ExchangeRequest, _ traits: RequestTraits, _ extra: inout [StaticString]
  ) throws(TransportError) {
    let body = exchange.setup.body
    guard !body.isEmpty else {
      try setMethod(request.method)
      // Not as a body of no bytes: libcurl 8.14 closes the connection when a refusal comes before it has
      // looked whether there is more to send. RFC 9110 §8.6.
      let isGiven = if case .none = body { false } else { true }
      if isGiven || ["POST", "PUT", "PATCH"].contains(request.method) { extra.append("Content-Length: 0") }
      return
    }
    switch body {
    case .none: return
    case .bytes(let bytes): try setContent(.bytes(bytes), of: request)
    case .secret(let secret): try setContent(.secret(secret), of: request)
    case .file(let descriptor, let offset, let length):
      let source = try RequestBodySource.file(descriptor, of: account, offset: offset, length: length)
      transfer.body = source
      try setPost(request.method, length: length)
    case .stream(let descriptor):
      let source = try RequestBodySource.stream(descriptor, of: account)
      transfer.body = source
      try setPost(request.method, length: -1)
      extra.append("Transfer-Encoding: chunked")
      transfer.expectsContinue = !request.repetition.omitsExpect
    }
    try check(transport_easy_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes))
    transfer.body?.whenReady { [weak self] in self?.bodyIsReady() }
    // libcurl would say that every body is a form.
    if !traits.hasContentType { extra.append("Content-Type:") }
    if traits.hasExpect { transfer.expectsContinue = true }
    if !transfer.expectsContinue { extra.append("Expect:") }
  }

  /// Content in memory, which the source keeps and does not move.
  private func setContent(_ source: RequestBodySource, of request: ExchangeRequest) throws(TransportError) {
    let count = source.inlineCount ?? 0
    try setPost(request.method, length: Int64(count))
    transfer.body = source
    // libcurl would send it in one piece.
    if count <= Self.inlineBodyBytes, exchange.setup.settings.maximumBytesPerSecond == nil {
      try check(transport_easy_set_pointer(easy, CURLOPT_POSTFIELDS, source.memory))
    }
  }

  private func setMethod(_ method: String) throws(TransportError) {
    switch method {
    case "HEAD": try check(transport_easy_set_long(easy, CURLOPT_NOBODY, 1))
    case "GET": break
    default: try check(transport_easy_set_text(easy, CURLOPT_CUSTOMREQUEST, method))
    }
  }

  private func setPost(_ method: String, length: Int64) throws(TransportError) {
    try check(transport_easy_set_long(easy, CURLOPT_POST, 1))
    if method != "POST" { try check(transport_easy_set_text(easy, CURLOPT_CUSTOMREQUEST, method)) }
    try check(transport_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, length))
  }

  /// What is mostly as `setUp` has set it.
  private func setRareOptions(to origin: Origin) throws(TransportError) {
    let settings = exchange.setup.settings
    try check(
      transport_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(settings.timeouts)))
    try check(beginRecord())
    if exchange.requiresNewConnection { try check(transport_easy_set_long(easy, CURLOPT_FRESH_CONNECT, 1)) }
    if let maximum = settings.maximumBytesPerSecond {
      let pace = TransferPace(bytesPerSecond: maximum)
      let piece = pace.receiving.pieceBytes(atMost: Self.bufferBytes)
      try check(transport_easy_set_long(easy, CURLOPT_BUFFERSIZE, piece))
      transfer.pace = pace
    }
    // HTTP/2 is agreed upon in the TLS handshake. In clear, exchanges would wait for the first one's response
    // to say whether they may share its connection.
    let requiresHTTP1 = pool?.isHTTP1Only ?? false || origin.scheme == .http
    try check(transport_easy_set_long(easy, CURLOPT_HTTP_VERSION, httpVersion(requiresHTTP1: requiresHTTP1)))
  }

  private static func milliseconds(_ timeouts: ExchangeTimeouts) -> Int {
    guard let seconds = timeouts.connectSeconds, seconds.isFinite else { return endlessMilliseconds }
    return Int(min(max(seconds * 1000, 1), Double(endlessMilliseconds)))
  }

  private func check(_ code: CURLcode) throws(TransportError) {
    guard code == CURLE_OK else { throw .other(code: Int32(bitPattern: code.rawValue)) }
  }
}

extension ExchangeBody {
  var isEmpty: Bool {
    switch self {
    case .none: true
    case .bytes(let bytes): bytes.isEmpty
    case .secret(let secret): secret.isEmpty
    case .file(_, _, let length): length == 0
    case .stream: false
    }
  }
}

/// Which fields the caller set that libcurl would otherwise set or that the transport needs to know.
struct RequestTraits {
  var hasContentType = false
  var hasExpect = false
  var hasLength = false
  var choosesCookies = false
  var choosesCodings = false
  var hasRange = false

  init(_ headers: [HeaderField]) {
    for field in headers {
      switch field.name.utf8.count {
      case 4: if field.isNamed("host") { choosesCookies = true }
      case 5: if field.isNamed("range") { hasRange = true }
      case 6:
        if field.isNamed("cookie") { choosesCookies = true }
        if field.isNamed("expect") { hasExpect = true }
      case 12: if field.isNamed("content-type") { hasContentType = true }
      case 15: if field.isNamed("accept-encoding") { choosesCodings = true }
      case 14: if field.isNamed("content-length") { hasLength = true }
      default: break
      }
    }
  }
}
