package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What the task cost. bytesSent and bytesReceived are sums over its exchanges, totalSeconds is the task's
  /// from start to finish; protocol, reused and the other times are those of the last exchange.
  package struct Metrics: SentObject {
    package let `protocol`: String?
    package let reused: Bool
    package let nameLookupSeconds: Double
    package let connectSeconds: Double
    package let tlsSeconds: Double
    package let firstByteSeconds: Double
    /// Spent waiting for replies to challenges.
    package let challengeWaitSeconds: Double
    package let totalSeconds: Double
    package let bytesSent: Int
    package let bytesReceived: Int
    package let exchanges: [Sent.ExchangeMetrics]

    package init(
      `protocol`: String?, reused: Bool, nameLookupSeconds: Double, connectSeconds: Double,
      tlsSeconds: Double, firstByteSeconds: Double, challengeWaitSeconds: Double, totalSeconds: Double,
      bytesSent: Int, bytesReceived: Int, exchanges: [Sent.ExchangeMetrics]
    ) {
      self.protocol = `protocol`
      self.reused = reused
      self.nameLookupSeconds = nameLookupSeconds
      self.connectSeconds = connectSeconds
      self.tlsSeconds = tlsSeconds
      self.firstByteSeconds = firstByteSeconds
      self.challengeWaitSeconds = challengeWaitSeconds
      self.totalSeconds = totalSeconds
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
      self.exchanges = exchanges
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("protocol", `protocol`)
      writer.member("reused", reused)
      writer.seconds("nameLookupSeconds", nameLookupSeconds)
      writer.seconds("connectSeconds", connectSeconds)
      writer.seconds("tlsSeconds", tlsSeconds)
      writer.seconds("firstByteSeconds", firstByteSeconds)
      writer.seconds("challengeWaitSeconds", challengeWaitSeconds)
      writer.seconds("totalSeconds", totalSeconds)
      writer.member("bytesSent", bytesSent)
      writer.member("bytesReceived", bytesReceived)
      writer.member("exchanges", exchanges)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      `protocol` = try object.member("protocol")
      reused = try object.member("reused")
      nameLookupSeconds = try object.member("nameLookupSeconds")
      connectSeconds = try object.member("connectSeconds")
      tlsSeconds = try object.member("tlsSeconds")
      firstByteSeconds = try object.member("firstByteSeconds")
      challengeWaitSeconds = try object.member("challengeWaitSeconds")
      totalSeconds = try object.member("totalSeconds")
      bytesSent = try object.member("bytesSent")
      bytesReceived = try object.member("bytesReceived")
      exchanges = try object.member("exchanges")
    }
  }
}
