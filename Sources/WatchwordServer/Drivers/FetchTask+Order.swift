internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

extension FetchTask {
  /// What a caller wants fetched, checked and with its descriptors taken over.
  struct Order {
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
    var maximumBodyBytes: Int64?
    let isDetached: Bool
    let followsRedirects: Bool
    let proxies: TaskRequest.Proxies
    let output: any TaskOutput
    /// What the bytes for the output have to hash to, if the caller says so.
    var digests: [ExpectedDigest] = []
    /// Of what is kept of the request and of the reply.
    let charge: MemoryCharge
  }

  /// What the caller is told while the task runs; each is optional.
  @ReactorActor
  struct Observers {
    var response: ((ResponseHead, RequestURL) -> Void)?
    var redirect: ((TaskStateMachine.RedirectRecord, ResponseHead?) -> Void)?
    var passed: ((TaskStateMachine.PassedHead) -> Void)?
    var sentBody: ((Int64, Int64?) -> Void)?
    var willRedirect: ((RedirectedRequest, ResponseHead) -> Void)?
  }
}

extension TaskRequest {
  init(_ identifier: TaskIdentifier, _ order: FetchTask.Order, peer: PeerIdentifier?, process: Int32?) {
    self.init(
      identifier: identifier,
      hop: RedirectHop(
        url: order.url, method: order.method, headers: order.headers, sensitiveNames: order.sensitiveHeaders,
        body: order.body.hop))
    self.peer = peer
    self.process = process
    isDetached = order.isDetached
    followsRedirects = order.followsRedirects
    proxies = order.proxies
    bodyBytes = order.body.size
    bodyDigest = { [body = order.body] in body.digestBody($0) }
  }
}
