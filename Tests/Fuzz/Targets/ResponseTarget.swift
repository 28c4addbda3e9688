internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A response, head and body, through one session that is used again and again.
///
/// Before it comes an honest response on the same connection, after it one of another origin, which has to be whole: what
/// an origin sends may harm its own exchange only. The first byte chooses the request, the second the size of the pieces.
enum ResponseTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let input = Array(input)
    EventLoop.shared.run { ResponseRun.begin(input) }
  }
}

@ReactorActor
private final class ResponseRun: ExchangeDelegate {
  private static let honest = LoopOrigin.Reply(
    bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhonest".utf8))
  private static let other = LoopOrigin { _ in honest }
  private static let origin = LoopOrigin { _ in honest }
  /// An engine for so many inputs, so that what it keeps, cookies above all, has an end.
  private static let inputsPerEngine = 500

  private static var engine: CurlEngine?
  private static var inputs = 0

  private enum Phase {
    case warm
    case input
    case check
  }

  private let input: [UInt8]
  private var phase = Phase.warm
  private var status: Int?
  private var body: [UInt8] = []
  private var finishes = 0

  static func begin(_ input: [UInt8]) {
    if inputs.isMultiple(of: inputsPerEngine) {
      engine?.shutDown()
      engine = try? CurlEngine(EngineConfiguration())
    }
    inputs += 1
    origin.reply = { _ in honest }
    ResponseRun(input).fetch(origin.url, "GET")
  }

  private init(_ input: [UInt8]) { self.input = input }

  private func fetch(_ url: String, _ method: String, _ headers: [HeaderField] = []) {
    status = nil
    body.removeAll()
    guard let engine = ResponseRun.engine, let url = try? URLParser.parse(url + "/") else {
      fatalError("no engine")
    }
    let timeouts = ExchangeTimeouts(connectSeconds: 5, requestSeconds: 5)
    _ = engine.start(
      ExchangeRequest(url: url, method: method, headers: headers, proxy: nil),
      ExchangeSetup(body: .none, settings: ExchangeSettings(timeouts: timeouts)), delegate: self)
  }

  private func sendInput() {
    phase = .input
    let choice = input.first ?? 0
    let size = Int(input.dropFirst().first ?? 0)
    let reply = LoopOrigin.Reply(
      bytes: Array(input.dropFirst(2)), pieceBytes: size == 0 ? .max : size, staysOpen: false)
    ResponseRun.origin.reply = { _ in reply }
    let headers = choice & 2 == 0 ? [] : [HeaderField("Range", "bytes=5-")]
    fetch(ResponseRun.origin.url, choice & 1 == 0 ? "GET" : "HEAD", headers)
  }

  func authorization(for exchange: any Exchange) -> Secret? { nil }

  func proxyAuthorization(for exchange: any Exchange) -> Secret? { nil }
  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?) {}
  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) {
    require(status == nil, "two heads of one response")
    require((200...999).contains(head.status), "a status that is none")
    let texts = head.headers.flatMap { [$0.name, $0.value] }
    require(texts.allSatisfy { !$0.utf8.contains(0) && !$0.utf8.contains(0x0A) }, "a line inside of a field")
    status = head.status
  }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    require(status != nil, "a body before its head")
    body += bytes
    return body.count > 1 << 20 ? .enough : .taken
  }

  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {}
  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {}

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    require(error != nil || status != nil, "a success without a response")
    finishes += 1
    switch phase {
    case .warm: sendInput()
    case .input:
      phase = .check
      fetch(ResponseRun.other.url, "GET")
    case .check:
      require(
        error == nil && status == 200 && body.elementsEqual("honest".utf8),
        "another origin's response is harmed")
      require(finishes == 3, "an exchange that ends twice")
      EventLoop.shared.stop()
    }
  }
}
