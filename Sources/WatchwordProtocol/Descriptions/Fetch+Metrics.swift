package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

extension Fetch {
  /// The metrics of a task, exchange by exchange.
  package struct Metrics: Describing {
    package struct Exchange {
      package let url: String
      /// Nil, on the wire 0, without a response.
      package let status: Int?
      package let authenticationMethod: AuthenticationMethod?
      /// Of Negotiate, once it has authenticated the connection.
      package var mechanism: InnerMechanism?
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
    package var sent: Sent.Metrics {
      let last = exchanges.last?.metrics ?? ExchangeMetrics()
      return Sent.Metrics(
        protocol: last.sentProtocol, reused: last.isReused, nameLookupSeconds: last.nameLookupSeconds,
        connectSeconds: last.connectSeconds, tlsSeconds: last.tlsSeconds,
        firstByteSeconds: last.firstByteSeconds, challengeWaitSeconds: challengeWaitSeconds,
        totalSeconds: totalSeconds, bytesSent: Int(exchanges.reduce(0) { $0 + $1.metrics.bytesSent }),
        bytesReceived: Int(exchanges.reduce(0) { $0 + $1.metrics.bytesReceived }),
        exchanges: exchanges.map(\.sent))
    }
  }
}

extension Fetch.Metrics.Exchange {
  fileprivate var sent: Sent.ExchangeMetrics {
    Sent.ExchangeMetrics(
      url: url, status: status ?? 0, authenticationMethod: authenticationMethod?.rawValue,
      mechanism: mechanism?.rawValue, protocol: metrics.sentProtocol, reused: metrics.isReused,
      nameLookupSeconds: metrics.nameLookupSeconds, connectSeconds: metrics.connectSeconds,
      tlsSeconds: metrics.tlsSeconds, firstByteSeconds: metrics.firstByteSeconds,
      totalSeconds: metrics.totalSeconds, bytesSent: Int(metrics.bytesSent),
      bytesReceived: Int(metrics.bytesReceived), details: metrics.details?.sent)
  }
}

extension ExchangeMetrics {
  fileprivate var sentProtocol: String? { networkProtocol.isEmpty ? nil : networkProtocol }
}
