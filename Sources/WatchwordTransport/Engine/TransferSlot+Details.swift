internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// What an exchange reports beside its response, where its task wants that.
extension TransferSlot {
  /// Begins the record, before libcurl takes the exchange.
  func beginRecord() -> CURLcode {
    guard let names = exchange.setup.settings.detailsHiding else { return CURLE_OK }
    let record = ExchangeRecord(hiding: names)
    transfer.record = record
    return transport_sent_heads_report(easy, record.report)
  }

  /// The connection was found, and leads to the origin.
  func recordConnection() {
    guard let record = transfer.record, line?.origin.isSecure == true, proxy?.hop.tunnel != .requested else {
      return
    }
    if proxy?.hop.tunnel == .open { record.remoteAddress = transfer.connection?.remoteAddress }
    var negotiated = transport_negotiated()
    guard transport_negotiated_on(easy, &negotiated) else { return }
    record.security = ExchangeDetails.Security(
      version: AllowedVersions.TLS(negotiated.version),
      cipherSuite: negotiated.cipher_suite.map { String(cString: $0) },
      certificate: negotiated.leaf.flatMap { Certificate($0) })
  }

  /// With what was sent since those of the head before; nil where they are not wanted.
  func detailsOfHead() -> ExchangeDetails? {
    transfer.record.map { details($0, $0.untoldHeads()) }
  }

  /// Of the whole exchange.
  func detailsOfExchange() -> ExchangeDetails? {
    transfer.record.map { details($0, $0.allHeads) }
  }

  private func details(
    _ record: ExchangeRecord, _ requests: [ExchangeDetails.RequestHead]
  ) -> ExchangeDetails {
    ExchangeDetails(
      remoteAddress: remoteAddress(record), isProxyConnection: proxy != nil, isReused: transfer.isReused,
      security: record.security, requests: requests)
  }

  private func remoteAddress(_ record: ExchangeRecord) -> String? {
    // In an open tunnel libcurl has the address that it was made to believe. At the end the socket may be
    // closed.
    if proxy?.hop.tunnel != .open, let knownAddress { record.remoteAddress = knownAddress }
    guard let (address, port) = record.remoteAddress else { return nil }
    return address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
  }

  private var knownAddress: (String, Int)? {
    var port = 0
    guard let text = transport_easy_remote_address(easy, &port) else { return nil }
    if text.pointee != 0, port > 0 { return (String(cString: text), port) }
    // libcurl 8 knows it when the whole way is open, behind a proxy's reply to CONNECT.
    return openedSocket.flatMap(SlotConnection.remoteAddress(of:))
  }
}

extension AllowedVersions.TLS {
  fileprivate init?(_ version: Int32) {
    switch version {
    case TLS1_2_VERSION: self = .tls12
    case TLS1_3_VERSION: self = .tls13
    default: return nil
    }
  }
}
