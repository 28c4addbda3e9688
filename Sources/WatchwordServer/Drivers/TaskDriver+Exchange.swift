internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What the running exchange tells its task.
extension TaskDriver: ExchangeDelegate {
  func authorization(for exchange: any Exchange) -> Secret? {
    let value = session.ask { $0.authorization(of: known, over: exchange.connection) }
    if known.machine.isPreemptive { session.counters.preemptive += 1 }
    return value
  }

  func keyFields(for exchange: any Exchange) -> [HeaderField] {
    // What the exchange before carried is not carried any more when nothing is left.
    guard session.state.memory.mayHaveKeys || known.machine.carriesKey else { return [] }
    let fields = session.ask { $0.keyFields(of: known) }
    session.counters.preemptive += fields.count
    return fields
  }

  func proxyAuthorization(for exchange: any Exchange) -> Secret? {
    session.ask { $0.proxyAuthorization(of: known) }
  }

  func cookies(for exchange: any Exchange) -> SessionCookies? { cookies?.jar }

  func exchange(_ exchange: any Exchange, didOpenTunnel head: ResponseHead?) {
    session.feed(.tunnelOpened(head), to: known)
  }

  func exchange(_ exchange: any Exchange, didReceive head: ResponseHead) {
    cookies?.count()
    // What follows from the head may be carried out in a later step: its body waits for that.
    fate = .wait
    session.feed(.received(head), to: known)
    check.begin(hash: known.machine.responseHash)
  }

  func decodingMemory(for exchange: any Exchange) -> (any HeldMemory)? { order.charge.another() }

  func exchange(_ exchange: any Exchange, didReceive bytes: UnsafeRawBufferPointer) -> BodyAnswer {
    let answer =
      switch fate {
      case .deliver: deliver(bytes)
      case .hold: held.receive(bytes, isKept: true)
      case .discard: held.receive(bytes, isKept: false)
      case .wait: BodyAnswer.pause
      case .read: holdPage(bytes)
      }
    if answer == .pause, fate.isDecidedLater { isHeldUp = true }
    if answer == .enough { check.cut() }
    if answer == .taken, fate == .hold || fate == .discard, !bytes.isEmpty { limitRest() }
    return answer
  }

  func exchange(_ exchange: any Exchange, didTake content: UnsafeRawBufferPointer) {
    check.received(content)
  }

  func exchange(_ exchange: any Exchange, didReceiveTrailers fields: [HeaderField]) {
    check.trailers = fields
  }

  func exchange(_ exchange: any Exchange, didSendBody total: Int64) {
    guard request?.form == nil else { return }
    // What was read now has not been sent, and is not any more.
    if let failure = known.failure(sending: total) { return stop(failure) }
    if total > 0 { session.state.bodyBegan(of: known) }
    observers.sentBody?(total, order.body.size)
  }

  /// Of what the exchange carried: its `Authorization`, or else a key.
  private var methodInUse: AuthenticationMethod? {
    let isFormPage = request?.form == nil && known.machine.methodInUse == .htmlForm
    return (isFormPage ? nil : known.machine.methodInUse) ?? (known.machine.carriesKey ? .key : nil)
  }

  func exchange(_ exchange: any Exchange, didFinish error: TransportError?, metrics: ExchangeMetrics) {
    beginsAgain = error?.isQuestion ?? false
    // A server that refuses a client certificate on TLS 1.3 has been sent the request by then.
    if !beginsAgain || metrics.bytesSent > 0 {
      self.metrics?.add(
        metrics, within: order.charge, url: request?.url ?? url, status: known.machine.head?.status,
        // What a login form is answered with may lead on, without a credential.
        method: methodInUse,
        mechanism: known.machine.mechanismInUse)
    }
    session.counters.count(metrics)
    self.exchange = nil
    let body = check.bodyForDigest()
    session.feed(.exchangeEnded(error, body: body), to: known)
  }
}
