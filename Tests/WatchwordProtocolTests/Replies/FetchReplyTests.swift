import Testing
import WatchwordCore
import WatchwordJSON
internal import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
internal import WatchwordVocabulary

@Suite struct FetchReplyTests {
  private static func reply(
    _ body: Sent.ResponseBody.Content, isTruncated: Bool = false, exchanges: [Sent.ExchangeMetrics] = []
  ) -> Sent.FetchResult {
    Sent.FetchResult(
      task: "t12", session: "reports", url: "https://a.test/q3", status: 200,
      headers: [HeaderField("Content-Type", "text/csv"), HeaderField("X", "a\"b\\c\té")],
      body: Sent.ResponseBody(body, isTruncated: isTruncated),
      redirects: [Sent.Redirect(status: 302, from: "https://a.test/", to: "https://a.test/q3")],
      loginPage: nil, unusableOffers: [], unusableOfferCount: nil,
      metrics: Sent.Metrics(challengeWaitSeconds: 1.5, totalSeconds: 2, exchanges: exchanges))
  }

  private static func exchange(
    _ status: Int, _ method: AuthenticationMethod?, bytes: Int64, reused: Bool
  ) -> Sent.ExchangeMetrics {
    var metrics = ExchangeMetrics()
    metrics.networkProtocol = "h2"
    metrics.isReused = reused
    metrics.bytesSent = bytes
    metrics.bytesReceived = bytes * 10
    metrics.firstByteSeconds = 0.0125
    metrics.totalSeconds = 0.25
    return Sent.ExchangeMetrics(
      url: "https://a.test/q3", status: status, authenticationMethod: method, metrics: metrics)
  }

  @Test func theShapeIsTheProtocols() throws {
    let reply = Self.reply(
      .bytes(Array("a,b\n".utf8)),
      exchanges: [
        Self.exchange(401, nil, bytes: 1, reused: false), Self.exchange(200, .digest, bytes: 2, reused: true),
      ])
    let expected = #"""
      {"task":"t12","session":"reports","url":"https://a.test/q3","status":200,
       "headers":[["Content-Type","text/csv"],["X","a\"b\\c\té"]],"body":{"text":"a,b\n"},
       "redirects":[{"status":302,"from":"https://a.test/","to":"https://a.test/q3"}],
       "metrics":{"protocol":"h2","reused":true,"nameLookupSeconds":0,"connectSeconds":0,"tlsSeconds":0,
         "firstByteSeconds":0.0125,"challengeWaitSeconds":1.5,"totalSeconds":2,"bytesSent":3,"bytesReceived":30,
         "exchanges":[
           {"url":"https://a.test/q3","status":401,"authenticationMethod":null,"protocol":"h2","reused":false,
            "nameLookupSeconds":0,"connectSeconds":0,"tlsSeconds":0,"firstByteSeconds":0.0125,"totalSeconds":0.25,
            "bytesSent":1,"bytesReceived":10},
           {"url":"https://a.test/q3","status":200,"authenticationMethod":"digest","protocol":"h2","reused":true,
            "nameLookupSeconds":0,"connectSeconds":0,"tlsSeconds":0,"firstByteSeconds":0.0125,"totalSeconds":0.25,
            "bytesSent":2,"bytesReceived":20}]}}
      """#
    #expect(try parse(written(reply.write)) == (try parse(expected)))
  }

  @Test func theDetailsOfAnExchangeAreTheProtocols() throws {
    var metrics = ExchangeMetrics()
    metrics.details = ExchangeDetails(
      remoteAddress: "[::1]:443", isProxyConnection: false, isReused: true,
      security: ExchangeDetails.Security(
        version: .tls13, cipherSuite: "TLS_AES_256_GCM_SHA384", certificate: nil),
      requests: [ExchangeDetails.RequestHead(line: "GET / HTTP/2", headers: [HeaderField("Host", "a.test")])])
    let exchange = Sent.ExchangeMetrics(
      url: "https://a.test/", status: 200, authenticationMethod: nil, metrics: metrics)
    let details = try #require(exchange.details)
    let expected = #"""
      {"remoteAddress":"[::1]:443","isProxyConnection":false,"reused":true,"tlsVersion":"1.3",
       "cipherSuite":"TLS_AES_256_GCM_SHA384","requests":[{"line":"GET / HTTP/2","headers":[["Host","a.test"]]}]}
      """#
    #expect(try parse(written(details.write)) == (try parse(expected)))
  }

  @Test func whatIsEmptyOrWasNotAskedForIsLeftOut() throws {
    let plain = Sent.FetchResult(
      task: "t12", session: "reports", url: "https://a.test/q3", status: 204, headers: [],
      body: Sent.ResponseBody(.size(0)), redirects: [], loginPage: nil, unusableOffers: [],
      unusableOfferCount: nil, metrics: nil)
    let expected = #"""
      {"task":"t12","session":"reports","url":"https://a.test/q3","status":204,"headers":[],"body":{"size":0}}
      """#
    let sent = written(plain.write)
    #expect(try parse(sent) == parse(expected))
    let read = try Sent.FetchResult(reading: try node(sent))
    #expect(read.redirects.isEmpty)
    #expect(read.metrics == nil)
  }

  @Test(
    arguments: [
      ([], #"{"text":""}"#), ([0x61, 0x0A], #"{"text":"a\n"}"#),
      ([0xE4, 0xB8, 0x96], #"{"text":"世"}"#), ([0x00], #"{"base64":"AA=="}"#),
      ([0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x00], #"{"base64":"YWJjZGVmZ2gA"}"#),
      ([0xFF, 0xFE], #"{"base64":"//4="}"#), ([0xED, 0xA0, 0x80], #"{"base64":"7aCA"}"#),
      ([0x1B, 0x7F], #"{"text":"\u001b\u007f"}"#),
    ] as [([UInt8], String)])
  func anInlineBodyIsTextWhenItCanBe(_ bytes: [UInt8], _ expected: String) throws {
    #expect(try parse(written(Self.reply(.bytes(bytes)).write))["body"] == (try parse(expected)))
  }

  /// Whatever a server sends, callers can read the reply: our own parser is as strict as any.
  @Test func everyBodyOfOneByteCanBeReadBack() throws {
    for byte in UInt8.min...UInt8.max {
      let body = try parse(written(Self.reply(.bytes([byte])).write))["body"]
      let bytes = body?["base64"].map { Base64.decode($0.text) } ?? Array((body?["text"]?.text ?? "").utf8)
      #expect(bytes == [byte])
    }
  }

  @Test func aBodyElsewhereIsASize() throws {
    #expect(
      try parse(written(Self.reply(.descriptor(size: 70_000)).write))["body"]
        == .object(["descriptor": .integer(0), "size": .integer(70_000)]))
    #expect(
      try parse(written(Self.reply(.size(1 << 40)).write))["body"] == .object(["size": .integer(1 << 40)]))
  }

  @Test func aBodyThatWasCutIsMarked() throws {
    for body in [Sent.ResponseBody.Content.bytes([0x61]), .descriptor(size: 1), .size(1)] {
      let (whole, cut) = (Self.reply(body), Self.reply(body, isTruncated: true))
      #expect(try parse(written(whole.write))["body"]?["truncated"] == nil)
      #expect(try parse(written(cut.write))["body"]?["truncated"] == .bool(true))
    }
  }

  @Test func aTaskWithoutExchangesHasMetrics() throws {
    let metrics = try parse(written(Self.reply(.size(0)).write))["metrics"]
    #expect(metrics?["exchanges"] == .array([]))
    #expect(metrics?["bytesReceived"] == .integer(0))
    #expect(metrics?["reused"] == .bool(false))
    #expect(metrics?["protocol"] == .null)
  }
}
