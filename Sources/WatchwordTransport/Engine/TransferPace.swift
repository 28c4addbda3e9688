internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// The speed that a task wants for the bodies of its exchange.
///
/// libcurl has limits of its own, which let some seconds' worth of bytes pass at once before they count.
@ReactorActor
final class TransferPace {
  var receiving: SpeedLimit
  var sending: SpeedLimit
  /// While a body waits.
  private var timer: LoopTimer?

  init(bytesPerSecond: Int64) {
    receiving = SpeedLimit(bytesPerSecond: bytesPerSecond)
    sending = receiving
  }

  deinit { assumeOnLoop { timer?.cancel() } }

  /// Goes on after so many seconds; a wait that is there ends first, and is followed by the next one.
  func wait(_ seconds: Double, then goOn: @escaping @ReactorActor () -> Void) {
    guard timer == nil else { return }
    timer = EventLoop.shared.schedule(after: seconds) { [weak self] in
      self?.timer = nil
      goOn()
    }
  }
}

extension TransferSlot {
  /// Whether the received bytes have to wait; they come again.
  func waitsToReceive() -> Bool {
    guard let pace = transfer.pace, let seconds = pace.receiving.seconds(at: EventLoop.shared.now) else {
      return false
    }
    wait(seconds, pace)
    return true
  }

  /// Where the next piece of the request's body goes; nil when it has to wait.
  func roomToSend(_ target: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer? {
    guard let pace = transfer.pace else { return target }
    guard let seconds = pace.sending.seconds(at: EventLoop.shared.now) else {
      return UnsafeMutableRawBufferPointer(
        rebasing: target.prefix(pace.sending.pieceBytes(atMost: target.count)))
    }
    wait(seconds, pace)
    return nil
  }

  private func wait(_ seconds: Double, _ pace: TransferPace) {
    pace.wait(seconds) { [weak self] in
      guard let self else { return }
      pool?.unpauseLater(self)
    }
  }
}
