internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor

/// What the connection is sent, and how fast it reads it.
extension Peer {
  /// Writes one message; `write` puts its JSON text, this the frame. A file ends once it is sent.
  ///
  /// - Parameter identifier: of the request that it replies to. A reply that the uid has no room for becomes
  ///   an error; a notification cannot be left out, and the connection ends.
  func send(
    _ identifier: RequestIdentifier? = nil, with files: [MemoryFile] = [],
    _ write: (inout JSONWriter) -> Void
  ) {
    guard mayAppend() else { return }
    let framing = decoder.framing ?? .line
    // Small ones are counted when they turn out to stay.
    let isAppended = outgoing.append(
      with: files, framing: framing,
      mayHold: { $0 <= OutgoingBytes.pieceBytes || outgoingCharge.grow(to: $0) }, write)
    if !isAppended {
      guard let identifier else { return endOverdue("the uid has no room for what waits to be read") }
      _ = outgoing.append(framing: framing) { Envelope.error(to: &$0, identifier, .overBudget) }
    }
    scheduleFlush()
  }

  /// Replies with a text that is the same for every caller.
  func send(_ text: [UInt8], as identifier: RequestIdentifier) {
    guard mayAppend() else { return }
    outgoing.append(framing: decoder.framing ?? .line, sharing: text) { writer in
      var place = 0
      Envelope.result(to: &writer, identifier) { place = $0.buffer.count }
      return place
    }
    scheduleFlush()
  }

  /// Sends a message that was put together, and counted, elsewhere.
  func send(_ message: [OutgoingBytes.Piece], with files: [MemoryFile]) {
    guard mayAppend() else { return }
    outgoing.append(message, with: files, framing: decoder.framing ?? .line)
    outgoingCharge.follow(outgoing.heldBytes)
    scheduleFlush()
  }

  private func mayAppend() -> Bool {
    guard !isClosed && !hasHungUp else { return false }
    // What waits already decides, not this message: one alone may be larger than the bound.
    guard outgoing.count <= Limits.outgoingBytes else {
      endOverdue("more than \(Limits.outgoingBytes) bytes wait to be read")
      return false
    }
    return true
  }

  /// Ends a connection that does not read what it is sent; its callers find the reason in the log.
  private func endOverdue(_ reason: String) {
    delegate.peer(self, endsBecause: reason, waiting: outgoing.count)
    close()
  }

  func notify(_ notification: Notification, with files: [MemoryFile] = []) {
    send(with: files) { writer in
      Envelope.notification(
        to: &writer, notification.method, descriptors: files.count, notification.write)
    }
  }

  /// `task/didReceiveData` with bytes that are lent.
  func notify(of bytes: UnsafeRawBufferPointer, at offset: Int64, of task: String, in session: String) {
    send(with: []) { writer in
      Envelope.notification(to: &writer, "task/didReceiveData") { writer in
        Sent.TaskDidReceiveData.write(
          task: task, session: session, offset: offset, bytes: bytes, to: &writer)
      }
    }
  }

  /// Whether so much waits to be read that nothing should be added that can wait.
  var isCongested: Bool { outgoing.count > Limits.outgoingHighWater }

  /// Calls `handler` once when the peer has read enough, or is gone.
  func whenDrained(_ handler: @escaping () -> Void) { drainHandlers.append(handler) }

  /// The same, and at once when little waits: for a message that is large and that nothing follows.
  func whenReady(_ handler: @escaping () -> Void) {
    if isCongested && !isClosed { whenDrained(handler) } else { handler() }
  }

  private func scheduleFlush() {
    guard !isFlushScheduled else { return }
    isFlushScheduled = true
    EventLoop.shared.atEndOfTurn { [weak self] in
      guard let self else { return }
      isFlushScheduled = false
      flush()
    }
  }

  func flush() {
    guard !isClosed else { return }
    switch outgoing.flush(to: descriptor) {
    case .failed: hangUp()
    case .done:
      watch?.interest.remove(.writable)
      slowTimer?.cancel()
      slowTimer = nil
      outgoingCharge.giveBack()
      drained()
      resume()
      if closesWhenFlushed && outgoing.isEmpty { close() }
    case .blocked(let progress):
      watch?.interest.insert(.writable)
      if progress || slowTimer == nil { restartSlowTimer() }
      outgoingCharge.follow(outgoing.heldBytes)
      drained()
      resume()
    }
  }

  /// One after the other: each may add much to what waits.
  func drained() {
    let handlers = drainHandlers
    drainHandlers = []
    for index in handlers.indices {
      if isCongested && !isClosed {
        drainHandlers = handlers[index...] + drainHandlers
        return
      }
      handlers[index]()
    }
  }

  private func restartSlowTimer() {
    slowTimer?.cancel()
    slowTimer = EventLoop.shared.schedule(after: Limits.slowReaderSeconds) { [weak self] in
      self?.endOverdue("nothing was read for \(Int(Limits.slowReaderSeconds)) seconds")
    }
  }
}
