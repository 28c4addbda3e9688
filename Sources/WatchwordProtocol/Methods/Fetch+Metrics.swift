package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

extension Fetch {
  /// The metrics of a task, exchange by exchange.
  package struct Metrics {
    package struct Exchange {
      package let url: String
      /// Nil, on the wire 0, without a response.
      package let status: Int?
      package let authenticationMethod: AuthenticationMethod?
      /// Of Negotiate, once it has authenticated the connection.
      package let mechanism: InnerMechanism?
      package let metrics: ExchangeMetrics

      package init(
        url: String, status: Int?, authenticationMethod: AuthenticationMethod?,
        mechanism: InnerMechanism? = nil, metrics: ExchangeMetrics
      ) {
        self.url = url
        self.status = status
        self.authenticationMethod = authenticationMethod
        self.mechanism = mechanism
        self.metrics = metrics
      }
    }

    package let challengeWaitSeconds: Double
    package let totalSeconds: Double
    package let exchanges: [Exchange]

    package init(challengeWaitSeconds: Double, totalSeconds: Double, exchanges: [Exchange]) {
      self.challengeWaitSeconds = challengeWaitSeconds
      self.totalSeconds = totalSeconds
      self.exchanges = exchanges
    }

    /// The phases are those of the last exchange; bytes and the total are the task's.
    package func write(to writer: inout JSONWriter) {
      let last = exchanges.last?.metrics ?? ExchangeMetrics()
      writer.beginObject()
      Metrics.writePhases(last, to: &writer)
      writer.seconds("challengeWaitSeconds", challengeWaitSeconds)
      writer.seconds("totalSeconds", totalSeconds)
      writer.member("bytesSent", exchanges.reduce(0) { $0 + $1.metrics.bytesSent })
      writer.member("bytesReceived", exchanges.reduce(0) { $0 + $1.metrics.bytesReceived })
      writer.key("exchanges")
      writer.beginArray()
      for exchange in exchanges {
        writer.beginObject()
        writer.member("url", exchange.url)
        writer.member("status", exchange.status ?? 0)
        writer.member("authenticationMethod", exchange.authenticationMethod?.rawValue)
        if let mechanism = exchange.mechanism { writer.member("mechanism", mechanism.rawValue) }
        Metrics.writePhases(exchange.metrics, to: &writer)
        writer.seconds("totalSeconds", exchange.metrics.totalSeconds)
        writer.member("bytesSent", exchange.metrics.bytesSent)
        writer.member("bytesReceived", exchange.metrics.bytesReceived)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }

    private static func writePhases(_ metrics: ExchangeMetrics, to writer: inout JSONWriter) {
      writer.member("protocol", metrics.networkProtocol.isEmpty ? nil : metrics.networkProtocol)
      writer.member("reused", metrics.isReused)
      writer.seconds("nameLookupSeconds", metrics.nameLookupSeconds)
      writer.seconds("connectSeconds", metrics.connectSeconds)
      writer.seconds("tlsSeconds", metrics.tlsSeconds)
      writer.seconds("firstByteSeconds", metrics.firstByteSeconds)
    }
  }
}
