internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordVocabulary

extension ExchangeDetails {
  var sent: Sent.ExchangeDetails {
    Sent.ExchangeDetails(
      remoteAddress: remoteAddress, isProxyConnection: isProxyConnection, reused: isReused,
      tlsVersion: security?.version?.rawValue, cipherSuite: security?.cipherSuite,
      certificate: security?.certificate?.sent,
      requests: requests.map { Sent.RequestHead(line: $0.line, headers: $0.headers) })
  }
}
