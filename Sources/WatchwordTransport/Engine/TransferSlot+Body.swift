internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The request's body, which libcurl asks for.
extension TransferSlot {
  func sendBody(_ target: UnsafeMutableRawBufferPointer) -> Int {
    guard isRunning, let body = transfer.body else { return Int(CURL_READFUNC_ABORT) }
    guard !exchange.isPaused, let target = roomToSend(target) else { return pauseSending() }
    switch body.read(into: target) {
    case .bytes(let count):
      transfer.pace?.sending.note(count, at: EventLoop.shared.now)
      noteActivity()
      noteUploadBuffer(of: count)
      transfer.sentBytes += Int64(count)
      exchange.delegate?.exchange(exchange, didSendBody: transfer.sentBytes)
      return isRunning ? count : Int(CURL_READFUNC_ABORT)
    case .end:
      return 0
    case .wait:
      return pauseSending()
    case .failed:
      fail(.requestBodyFailed)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func pauseSending() -> Int {
    transfer.isSendPaused = true
    return Int(CURL_READFUNC_PAUSE)
  }

  /// More of the body is available.
  func bodyIsReady() {
    guard transfer.isSendPaused else { return }
    pool?.unpauseLater(self)
  }

  /// libcurl has to send the body again, because a reused connection turned out to be dead or a 417 came.
  func rewindBody(to offset: Int64) -> Int32 {
    guard let body = transfer.body, body.rewind(to: offset) else {
      fail(.bodyNotReplayable)
      return CURL_SEEKFUNC_FAIL
    }
    transfer.sentBytes = offset
    return CURL_SEEKFUNC_OK
  }

  /// libcurl fills it from its beginning each time.
  private func noteUploadBuffer(of count: Int) {
    guard count > transfer.usedUploadBuffer else { return }
    transfer.usedUploadBuffer = count
    countBuffers()
  }
}
