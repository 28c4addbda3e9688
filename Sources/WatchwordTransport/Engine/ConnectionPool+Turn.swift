internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Starting, driving and ending exchanges.
extension ConnectionPool {
  func start(_ exchange: CurlExchange) {
    guard !isInside else { return deferred.append(.start(exchange)) }
    guard let origin = exchange.request?.url.origin else { return }
    guard !isClosed else {
      EventLoop.shared.atEndOfTurn { exchange.finish(.cancelled, ExchangeMetrics()) }
      return
    }
    let line = line(of: origin)
    if line.admits(exchange) { begin(exchange, in: line) }
  }

  /// Removes an exchange that has not begun.
  func forget(_ exchange: CurlExchange, of origin: Origin) { lines[origin]?.leave(exchange) }

  /// Ends a slot's exchange without notifying its delegate.
  func stop(_ slot: TransferSlot) {
    if isInside {
      deferred.append(.stop(slot))
    } else if slot.isAttached {
      detach(slot)
      closeIfDone()
    }
  }

  /// Resumes a paused exchange, not from inside the caller's call.
  func unpauseLater(_ slot: TransferSlot) { taker.add { self.unpause(slot) } }

  /// Defers an operation to later in this turn.
  func putOff(_ operation: Deferred) {
    let isFirst = deferred.isEmpty
    deferred.append(operation)
    guard isFirst, !isInside else { return }
    EventLoop.shared.atEndOfTurn { self.reportEnds() }
  }

  /// Lets libcurl work on a socket, or on due timers (`CURL_SOCKET_TIMEOUT`).
  func drive(_ socket: curl_socket_t, _ events: Int32) {
    guard !isInside, !isClosed else { return }
    var running: Int32 = 0
    isInside = true
    transport_guard_restart(guardState)
    curl_multi_socket_action(multi, socket, events, &running)
    isInside = false
    reportEnds()
  }

  /// Continues a handshake that has waited for its signature.
  func goOnLater(_ slot: TransferSlot) {
    taker.add {
      guard !self.isClosed, slot.isAttached else { return }
      self.isInside = true
      slot.wake()
      self.isInside = false
      self.reportEnds()
    }
  }

  /// Reports ended exchanges and runs deferred operations.
  func reportEnds() {
    if !signing.isEmpty, !isInside { signing.removeAll { !$0.attendToSignature() } }
    var easy: UnsafeMutableRawPointer?
    var context: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while !isClosed, !isInside {
      if transport_multi_next_finished(multi, &easy, &context, &code) {
        guard let context else {
          endSweep()
          continue
        }
        complete(TransferSlot.from(context), code)
      } else if !deferred.isEmpty {
        let operations = deferred
        deferred.removeAll()
        for operation in operations { perform(operation) }
      } else {
        break
      }
    }
    closeIfDone()
  }

  private func unpause(_ slot: TransferSlot) {
    guard !isClosed, slot.isAttached else { return }
    isInside = true
    transport_guard_restart(guardState)
    let code = slot.unpause()
    isInside = false
    if code == CURLE_OK {
      // Its inactivity was not checked while it was paused.
      watchInactivity(of: slot)
    } else {
      complete(slot, code)
    }
    reportEnds()
  }

  private func perform(_ operation: Deferred) {
    switch operation {
    case .start(let exchange): start(exchange)
    case .stop(let slot):
      if slot.isAttached { detach(slot) }
    case .endTunnelRequest(let slot): complete(slot, CURLE_OK)
    case .admit(let line):
      while !isClosed, let exchange = line.next() { begin(exchange, in: line) }
    }
  }

  private func line(of origin: Origin) -> OriginLine {
    if let recentLine, recentLine.origin == origin { return recentLine }
    if let line = lines[origin] {
      recentLine = line
      return line
    }
    let line = OriginLine(origin, connections: configuration.connectionsPerHost)
    lines[origin] = line
    recentLine = line
    return line
  }

  /// The exchange has been admitted to its line.
  private func begin(_ exchange: CurlExchange, in line: OriginLine) {
    do throws(TransportError) {
      guard let slot = TransferSlot(exchange, pool: self) else {
        ended(in: line)
        throw .other(code: Int32(CURLE_OUT_OF_MEMORY.rawValue))
      }
      slot.line = line
      add(slot)
      do throws(TransportError) {
        try slot.prepare()
        if slot.transfer.body != nil { slot.countBuffers() }
        guard curl_multi_add_handle(multi, slot.easy) == CURLM_OK else {
          throw .other(code: Int32(CURLE_FAILED_INIT.rawValue))
        }
      } catch {
        detach(slot)
        throw error
      }
      exchange.state = .running(slot)
      slot.isAdded = true
      slot.transfer.began = EventLoop.shared.now
      watchInactivity(of: slot)
    } catch {
      EventLoop.shared.atEndOfTurn { exchange.finish(error, ExchangeMetrics()) }
    }
  }

  /// A begun exchange has ended; the next one begins when libcurl has released this one.
  private func ended(in line: OriginLine) {
    if line.ended(), !isClosed { putOff(.admit(line)) }
    guard line.isEmpty, lines.count > Self.maximumIdleLines else { return }
    lines[line.origin] = nil
    if recentLine === line { recentLine = nil }
  }

  func complete(_ slot: TransferSlot, _ code: CURLcode) {
    guard slot.isAttached else { return }
    let exchange = slot.exchange
    if slot.transfer.hasJoinedEarly { return startAgain(slot) }
    if slot.transfer.beginsAgain {
      // Nothing of the request was sent; the next connection is offered other protocols.
      exchange.beginnings += 1
      return startAgain(slot)
    }
    let metrics = slot.metrics(countingIn: counters)
    let error = slot.error(code)
    if error == nil, slot.transfer.framing?.hasTrailers == true {
      exchange.delegate?.exchange(exchange, didReceiveTrailers: slot.trailers)
    }
    detach(slot)
    if slot.transfer.opensTunnel, error != nil { tunnel.close() }
    // They would log in alike: the credential is part of the partition. A proxy may lock out a user who fails
    // often.
    let waiting = error == .loginRefused ? siblings?.takeWaiting() ?? [] : []
    exchange.finish(error, metrics)
    for exchange in waiting { exchange.finish(error, ExchangeMetrics()) }
  }

  /// Nothing of the request was sent.
  private func startAgain(_ slot: TransferSlot) {
    let exchange = slot.exchange
    detach(slot)
    guard let siblings else { return exchange.finish(.cancelled, ExchangeMetrics()) }
    siblings.start(exchange)
  }

  /// Takes the slot from libcurl and frees it.
  func detach(_ slot: TransferSlot) {
    let wasInside = isInside
    isInside = true
    if let handshake = slot.transfer.handshake, !signing.isEmpty {
      handshake.abandonSignature()
      signing.removeAll { $0 === handshake }
    }
    if slot.isAdded { curl_multi_remove_handle(multi, slot.easy) }
    slot.isAdded = false
    isInside = wasInside
    forgetClosed(slot.transfer.sockets)
    let last = active.removeLast()
    counters.exchanges -= 1
    counters.buffered -= slot.transfer.countedBuffers
    slot.transfer.countedBuffers = 0
    if last !== slot {
      last.place = slot.place
      active[slot.place] = last
    }
    slot.close()
    if let line = slot.line {
      slot.line = nil
      ended(in: line)
    }
  }
}

/// Distinguishes calls of libcurl without effect from those that make progress.
///
/// libcurl 7.88 asks to be called at once, or while a socket is writable, although it waits for something
/// else: for the window of a stream that its server has ended, or for a paused stream. It is then called less
/// often.
struct SpinGuard {
  /// Calls without effect before libcurl has to wait.
  private static let vainCalls = 16
  /// The delay between two calls after that.
  static let restSeconds = 0.005

  private var progress: UInt64 = 0
  private var calls = 0

  /// Records one more call; returns whether libcurl has to wait.
  ///
  /// - Parameter progress: a counter of all progress so far.
  mutating func isSpinning(_ progress: UInt64) -> Bool {
    if progress != self.progress { calls = 0 }
    self.progress = progress
    calls += 1
    return calls > SpinGuard.vainCalls
  }
}
