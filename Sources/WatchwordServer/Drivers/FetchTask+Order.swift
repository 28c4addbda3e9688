internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

extension FetchTask {
  /// What a caller wants fetched, checked and with its descriptors taken over.
  @ReactorActor
  final class Order {
    let name: String
    let url: RequestURL
    let method: String
    let headers: [HeaderField]
    let sensitiveHeaders: Set<String>
    let body: RequestBody
    let timeouts: ExchangeTimeouts
    let resourceSeconds: Double
    /// From 0 to 1, among the tasks that wait for a connection.
    let priority: Double
    let decodesContent: Bool
    /// Of the result, after decoding.
    let maximumBodyBytes: Int64?
    /// Of the bodies, in each direction.
    let maximumBytesPerSecond: Int64?
    let isDetached: Bool
    let followsRedirects: Bool
    /// Nil: the session's.
    let redirectLimit: Int?
    /// Nil: the session's.
    let versions: AllowedVersions?
    let proxies: TaskRequest.Proxies
    /// Whether its cookies are its own, and not those of the session.
    let hasOwnCookies: Bool
    /// Of all its requests, for the log and the history; nil when they have none.
    let traceContext: TraceContext?
    /// Whether the result has the metrics.
    let reportsMetrics: Bool
    /// Whether the details of its exchanges are told.
    let reportsDetails: Bool
    let output: any TaskOutput
    /// What the bytes for the output have to hash to, if the caller says so.
    let digests: [ExpectedDigest]
    /// Of what is kept of the request and of the reply.
    let charge: MemoryCharge

    init(
      name: String, url: RequestURL, method: String, headers: [HeaderField], sensitiveHeaders: Set<String>,
      body: RequestBody, timeouts: ExchangeTimeouts, resourceSeconds: Double, priority: Double,
      decodesContent: Bool, maximumBodyBytes: Int64? = nil, maximumBytesPerSecond: Int64? = nil,
      isDetached: Bool, followsRedirects: Bool,
      redirectLimit: Int? = nil, versions: AllowedVersions? = nil, proxies: TaskRequest.Proxies,
      hasOwnCookies: Bool = false, traceContext: TraceContext? = nil, reportsMetrics: Bool = false,
      reportsDetails: Bool = false, output: any TaskOutput,
      digests: [ExpectedDigest] = [], charge: MemoryCharge
    ) {
      self.name = name
      self.url = url
      self.method = method
      self.headers = headers
      self.sensitiveHeaders = sensitiveHeaders
      self.body = body
      self.timeouts = timeouts
      self.resourceSeconds = resourceSeconds
      self.priority = priority
      self.decodesContent = decodesContent
      self.maximumBodyBytes = maximumBodyBytes
      self.maximumBytesPerSecond = maximumBytesPerSecond
      self.isDetached = isDetached
      self.followsRedirects = followsRedirects
      self.redirectLimit = redirectLimit
      self.versions = versions
      self.proxies = proxies
      self.hasOwnCookies = hasOwnCookies
      self.traceContext = traceContext
      self.reportsMetrics = reportsMetrics
      self.reportsDetails = reportsDetails
      self.output = output
      self.digests = digests
      self.charge = charge
    }
  }

  /// What the caller is told while the task runs; each is optional. They are given the task, which retains them.
  @ReactorActor
  struct Observers {
    var response: ((FetchTask, ResponseHead, RequestURL) -> Void)?
    var redirect: ((FetchTask, TaskStateMachine.RedirectRecord, ResponseHead?) -> Void)?
    var passed: ((FetchTask, TaskStateMachine.PassedHead) -> Void)?
    var sentBody: ((Int64, Int64?) -> Void)?
    var willRedirect: ((FetchTask, RedirectedRequest, ResponseHead) -> Void)?
  }
}

@ReactorActor
extension TaskRequest {
  init(
    _ identifier: TaskIdentifier, _ order: FetchTask.Order, peer: PeerIdentifier?, process: ProcessIdentifier?
  ) {
    self.init(
      identifier: identifier,
      hop: RedirectHop(
        url: order.url, method: order.method, headers: order.headers, sensitiveNames: order.sensitiveHeaders,
        body: order.body.hop))
    self.peer = peer
    self.process = process
    isDetached = order.isDetached
    followsRedirects = order.followsRedirects
    redirectLimit = order.redirectLimit
    versions = order.versions
    proxies = order.proxies
    traceContext = order.traceContext
    bodyBytes = order.body.size
    maximumBodyBytes = order.maximumBodyBytes
    decodesContent = order.decodesContent
    bodyDigest = { [body = order.body] in body.digestBody($0) }
  }
}

extension RedirectTarget {
  /// A `Location` against the URL that sent it, through the transport's parser.
  init(_ location: String, _ base: RequestURL) {
    do throws(URLFault) {
      self = .resolved(try URLParser.resolve(location: location, against: base))
    } catch {
      self = error == .unsupportedScheme ? .unsupportedScheme : .malformed
    }
  }
}
