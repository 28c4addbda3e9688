package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// What one exchange of a task cost.
extension Sent.ExchangeMetrics {
  /// - Parameters:
  ///   - status: nil, on the wire 0, without a response.
  ///   - mechanism: of Negotiate, once it has authenticated the connection.
  package init(
    url: String, status: Int?, authenticationMethod: AuthenticationMethod?, mechanism: InnerMechanism? = nil,
    metrics: ExchangeMetrics
  ) {
    self.init(
      url: url, status: status ?? 0, authenticationMethod: authenticationMethod?.rawValue,
      mechanism: mechanism?.rawValue,
      protocol: metrics.networkProtocol.isEmpty ? nil : metrics.networkProtocol, reused: metrics.isReused,
      nameLookupSeconds: metrics.nameLookupSeconds, connectSeconds: metrics.connectSeconds,
      tlsSeconds: metrics.tlsSeconds, firstByteSeconds: metrics.firstByteSeconds,
      totalSeconds: metrics.totalSeconds, bytesSent: Int(metrics.bytesSent),
      bytesReceived: Int(metrics.bytesReceived), details: metrics.details?.sent)
  }
}

/// The metrics of a task, exchange by exchange.
extension Sent.Metrics {
  /// The phases are those of the last exchange; bytes and the total are the task's.
  package init(challengeWaitSeconds: Double, totalSeconds: Double, exchanges: [Sent.ExchangeMetrics]) {
    let last = exchanges.last
    self.init(
      protocol: last?.protocol, reused: last?.reused ?? false,
      nameLookupSeconds: last?.nameLookupSeconds ?? 0, connectSeconds: last?.connectSeconds ?? 0,
      tlsSeconds: last?.tlsSeconds ?? 0, firstByteSeconds: last?.firstByteSeconds ?? 0,
      challengeWaitSeconds: challengeWaitSeconds, totalSeconds: totalSeconds,
      bytesSent: exchanges.reduce(0) { $0 + $1.bytesSent },
      bytesReceived: exchanges.reduce(0) { $0 + $1.bytesReceived }, exchanges: exchanges)
  }
}

extension ExchangeDetails {
  var sent: Sent.ExchangeDetails {
    Sent.ExchangeDetails(
      remoteAddress: remoteAddress, isProxyConnection: isProxyConnection, reused: isReused,
      tlsVersion: security?.version?.rawValue, cipherSuite: security?.cipherSuite,
      certificate: security?.certificate?.sent,
      requests: requests.map { Sent.RequestHead(line: $0.line, headers: $0.headers) })
  }
}
