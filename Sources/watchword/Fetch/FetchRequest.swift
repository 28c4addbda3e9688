internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The request to the daemon for one fetch: the parameters of `task/start`.
final class FetchRequest {
  let url: String
  let method: String
  let headers: FetchHeaders
  /// The body, in the request itself or in a file beside it.
  private let content: FetchBody.Content
  private let timeouts: (resource: Double?, connect: Double?)
  private let decodes: Bool
  private let maximumBytes: Int?
  private let followsRedirects: Bool
  private let digest: String?
  private let limits: FetchLimits
  private let keepsCookies: Bool
  private let needsMetrics: Bool
  private let needsDetails: Bool

  init(_ fetch: FetchCommand) throws(Failure) {
    guard let given = fetch.url else {
      throw .usage("the URL is missing", hint: "watchword fetch [options] URL; see watchword help fetch")
    }
    try fetch.session.check(persistence: fetch.persistence)
    try fetch.limits.check()
    limits = fetch.limits.followingAsCurl(fetch.session.followsRedirects && fetch.session.name == nil)
    var url = try URLText.argument(given)
    if fetch.user != nil || fetch.session.methods.usesTickets { url = URLText.settingUser(nil, of: url) }
    let isQuery = fetch.isGet && !fetch.body.isUpload
    if let name = fetch.body.uploadName { url = URLText.addingName(name, to: url) }
    if isQuery, !fetch.body.isEmpty { url = URLText.addingQuery(try fetch.body.text(), to: url) }
    for query in fetch.queries { url = URLText.addingQuery(query, to: url) }
    self.url = url
    try fetch.schemes.check(url, followsRedirects: fetch.session.followsRedirects)

    guard !fetch.takesServersName || fetch.digest == nil && !fetch.resumes else {
      throw .usage("-J goes neither with -C nor with --checksum", hint: "-o FILE names the file")
    }
    guard fetch.digest == nil || !(fetch.resumes || fetch.isHead) else {
      throw .usage("--checksum goes neither with -C nor with -I: it is of a whole body")
    }
    let sendsBody = !isQuery && !fetch.body.isEmpty
    guard !sendsBody || !(fetch.isHead || fetch.method == "HEAD") else {
      throw .usage("a HEAD request has no body", hint: "-G puts the data into the URL")
    }
    method =
      fetch.method
      ?? (fetch.isHead ? "HEAD" : !sendsBody ? "GET" : fetch.body.isUpload ? "PUT" : "POST")
    var headers = fetch.headers
    if sendsBody, let type = fetch.body.contentType {
      if let boundary = fetch.body.boundary { headers.add("boundary=\(boundary)", toGiven: "content-type") }
      headers.setDefault("Content-Type", type)
      if type == "application/json" { headers.setDefault("Accept", type) }
    }
    if let field = fetch.timeCondition?.field { headers.setDefault(field.name, field.value) }
    if !fetch.userAgent.isEmpty { headers.setDefault("User-Agent", fetch.userAgent) }
    self.headers = headers
    content = sendsBody ? try fetch.body.content() : FetchBody.Content()
    timeouts = (fetch.maxTime, fetch.connectTimeout)
    decodes = fetch.isCompressed
    maximumBytes = fetch.maximumBytes
    followsRedirects = fetch.session.followsRedirects
    digest = fetch.digest
    keepsCookies = fetch.cookiePath != nil || headers.contains("cookie")
    needsMetrics = fetch.printsMetrics
    needsDetails = fetch.printsDetails
  }

  /// The descriptors sent with the request: the body's, then the output's.
  func descriptors(output: Int32?) -> [Int32] {
    var numbers: [Int32] = []
    if let number = content.number { numbers.append(number) }
    if let output { numbers.append(output) }
    return numbers
  }

  /// Whether it changes nothing, however often it is sent (RFC 9110 §9.2.1).
  var isHarmless: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

  /// Whether it can be sent again: a pipe gives its bytes once.
  var isReplayable: Bool {
    guard let number = content.number else { return true }
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Bytes of the body; nil of a pipe.
  var bodySize: Int? {
    guard let number = content.number else { return content.bytes?.count ?? 0 }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Bytes to reserve for the inline body.
  var size: Int { (content.bytes?.count ?? 0) * 2 }

  /// Without an output the body is discarded.
  func start(
    session: String?, url: String, fields: [(name: String, value: String)],
    proxies: TextOr<Request.Proxies>?, writesOutput: Bool
  ) -> Request.TaskStart {
    Request.TaskStart(
      session: session, url: url, method: method, headers: headers.sent(with: fields), body: body,
      timeouts: timeLimits, output: output(writesOutput), decodeContent: decodes ? nil : false,
      maximumBodyBytes: maximumBytes, proxies: proxies, followRedirects: followsRedirects ? nil : false,
      redirects: limits.redirects, tls: limits.tls, httpVersions: limits.httpVersions,
      ipVersion: limits.ipVersion, maximumBytesPerSecond: limits.bytesPerSecond,
      cookies: keepsCookies ? "session" : nil,
      metrics: needsMetrics ? true : nil, exchangeDetails: needsDetails ? true : nil)
  }

  private var body: Request.RequestBody? {
    if content.number != nil { return Request.RequestBody(descriptor: 0) }
    guard let bytes = content.bytes else { return nil }
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
      return Request.RequestBody(text: text)
    }
    return Request.RequestBody(base64: Base64.encode(bytes))
  }

  private var timeLimits: Request.Timeouts? {
    guard timeouts.resource != nil || timeouts.connect != nil else { return nil }
    return Request.Timeouts(connectSeconds: timeouts.connect, resourceSeconds: timeouts.resource)
  }

  /// Its descriptor comes after the body's.
  private func output(_ isWritten: Bool) -> TextOr<Request.Output> {
    guard isWritten || digest != nil else { return .text("discard") }
    return .other(
      Request.Output(
        descriptor: isWritten ? content.number == nil ? 0 : 1 : nil, digest: digest,
        mode: isWritten ? nil : "discard"))
  }
}
