internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// When the connection is ready, and what it reads: bytes, frames, messages, one step after the other.
extension Peer {
  func open() {
    do {
      watch = try EventLoop.shared.watch(descriptor, for: .readable, in: taker) { [weak self] in
        self?.ready($0)
      }
    } catch {
      close()
    }
  }

  private func ready(_ interest: Interest) {
    if interest.contains(.hangUp) { hasHungUp = true }
    if interest.contains(.writable) { flush() }
    if interest.contains(.readable) && mayReceive { receive() }
    if hasHungUp { hangUp() }
  }

  /// The peer is gone, and what it had asked is still done. No reply is kept, so that none holds that up.
  func hangUp() {
    guard !isClosed else { return }
    hasHungUp = true
    isPaused = false
    outgoing.closeAll()
    if !isBehind { decode() }
    receiveRest()
  }

  private func receiveRest() {
    while mayReceive && receive() {}
    if !isBehind && !isClosed { close() }
  }

  /// Whether what arrives can be taken apart: not while the step is over, and not while the peer has to read
  /// first.
  var mayReceive: Bool { !hasInputEnded && !isClosed && !isBehind && !isPaused }

  /// False when nothing was there to be read, or nothing ever will be.
  @discardableResult
  func receive() -> Bool {
    // Room for the descriptors that come with the bytes.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(CLINUX_DESCRIPTORS_ROOM)) { descriptors in
      var arrived = clinux_arrived()
      var received = 0
      var failure: Int32 = 0
      decoder.read { bytes in
        guard let start = bytes.baseAddress, let room = descriptors.baseAddress else { return 0 }
        received = SystemCall.uninterrupted {
          clinux_receive(descriptor, start, bytes.count, room, &arrived, false)
        }
        failure = errno
        return max(0, received)
      }
      if received < 0 {
        if failure != EAGAIN { close() }
        return false
      }
      bytesReceived += received
      let isWithinLimit = incoming.add(
        descriptors.prefix(Int(arrived.count)), isIncomplete: arrived.is_incomplete, endingAt: bytesReceived)
      guard !arrived.is_excessive, isWithinLimit else {
        incoming.closeAll()
        refuse(
          .limitExceeded(
            "more descriptors than a message may carry",
            limit: arrived.is_excessive ? "descriptorsPerMessage" : "unclaimedDescriptors"))
        return false
      }
      if received == 0 { decoder.endInput() }
      decode()
      // Otherwise the end is read again when the rest has been taken apart.
      if received == 0 && !isBehind && !isPaused { inputEnded() }
      return received > 0
    }
  }

  /// Takes apart what has arrived, frame by frame, for as long as the step lasts.
  private func decode() {
    defer { countIncoming() }
    while !isClosed && !closesWhenFlushed {
      if mustPause { return pause() }
      guard openBatch != nil || decoder.unconsumed > 0 else { return }
      guard !EventLoop.shared.isStepOver else { return goOnInNextStep() }
      if openBatch != nil {
        takeNextOfBatch()
        continue
      }
      do throws(FramingError) {
        guard let contents = try decoder.next() else { return }
        let end = bytesReceived - decoder.unconsumed
        switch contents.outcome {
        case .success(.single(let message)): dispatch(message, of: contents.size, batch: nil, endingAt: end)
        case .success(.batch(let messages)):
          let batch = Batch(
            peer: self, charge: MemoryCharge(delegate.budget, uid: process.uid),
            smallCharge: MemoryCharge(delegate.reserve, uid: process.uid))
          openBatch = OpenBatch(
            batch: batch, rest: messages[...], size: contents.size / max(1, messages.count), end: end)
          continue
        case .failure(let error): reject(error)
        }
        incoming.closeUnclaimed(endingBy: end)
      } catch {
        return refuse(RPCError(error))
      }
    }
  }

  private func countIncoming() {
    let held = isClosed ? 0 : decoder.heldBytes
    // A refusal would hardly be smaller, and the number of connections bounds them.
    guard held > OutgoingBytes.pieceBytes else { return incomingCharge.follow(held) }
    if !incomingCharge.grow(to: held) && !closesWhenFlushed { refuse(.overBudget) }
  }

  /// Whether the peer has to read before it may ask more. Otherwise each of its requests is worth a reply
  /// that stays.
  private var mustPause: Bool {
    guard !hasHungUp else { return false }
    return isCongested
      || outgoing.heldBytes > OutgoingBytes.pieceBytes && !delegate.budget.hasRoom(for: 1, of: process.uid)
  }

  private func pause() {
    isPaused = true
    watch?.interest.remove(.readable)
  }

  /// In the next step: what has arrived already may be worth many more replies.
  func resume() {
    guard isPaused, !mustPause, !hasInputEnded, !isClosed else { return }
    isPaused = false
    if !isBehind { goOnInNextStep() }
  }

  /// A message that is not JSON costs an error; its end is known, and the next one is read as usual.
  private func reject(_ error: RPCError) {
    guard !decoder.isInDoubt else { return refuse(error) }
    send { writer in Envelope.error(to: &writer, .null, error) }
  }

  private func takeNextOfBatch() {
    guard let open = openBatch else { return }
    if let message = openBatch?.rest.popFirst() {
      return dispatch(message, of: open.size, batch: open.batch, endingAt: open.end)
    }
    openBatch = nil
    open.batch.seal()
    incoming.closeUnclaimed(endingBy: open.end)
  }

  private func goOnInNextStep() {
    isBehind = true
    watch?.interest.remove(.readable)
    taker.add { [weak self] in self?.goOn() }
  }

  private func goOn() {
    isBehind = false
    guard !isClosed else { return }
    decode()
    guard !isBehind, !isClosed else { return }
    if hasHungUp { return receiveRest() }
    if mayReceive { watch?.interest.insert(.readable) }
  }

  private func dispatch(_ message: Message, of size: Int, batch: Batch?, endingAt end: Int) {
    switch message {
    case .ignored: return
    case .invalid(let identifier, let error):
      let call = Call(self, identifier: identifier, descriptors: [], batch: batch, size: size)
      calls.insert(call)
      call.fail(error)
    case .notification(let request):
      let descriptors = (try? incoming.claim(request.descriptors)) ?? []
      let call = Call(
        self, identifier: nil, descriptors: descriptors, batch: nil, size: size)
      delegate.peer(self, didReceive: call, request)
    case .request(let request):
      var descriptors: [Int32] = []
      var shortage: IncomingDescriptors.Shortage?
      do throws(IncomingDescriptors.Shortage) {
        descriptors = try incoming.claim(request.descriptors)
      } catch {
        shortage = error
      }
      let call = Call(
        self, identifier: request.identifier, descriptors: descriptors, batch: batch, size: size)
      calls.insert(call)
      if let shortage { return call.fail(RPCError(shortage)) }
      guard calls.count <= Limits.requestsPerConnection else {
        return call.fail(
          .limitExceeded(
            "more than \(Limits.requestsPerConnection) requests in flight", limit: "requestsPerConnection"))
      }
      delegate.peer(self, didReceive: call, request)
    }
  }

  /// Called by each call when it has been answered.
  func ended(_ call: Call) {
    calls.remove(call)
    closeIfDone()
  }

  /// The requests with this id that are still in hand (`$/cancelRequest`).
  func calls(with identifier: RequestIdentifier) -> [Call] { calls.with(identifier) }

  /// The peer will send no more; what it has asked is still answered, but it can be asked nothing.
  private func inputEnded() {
    guard !isClosed else { return }
    hasInputEnded = true
    incoming.closeAll()
    watch?.interest.remove(.readable)
    // Others are not asked about tasks that end in this turn.
    if !hasHungUp { delegate.peerCannotBeAsked(self) }
    closeIfDone()
  }

  private func closeIfDone() {
    guard hasInputEnded, calls.isEmpty, !isClosed else { return }
    closesWhenFlushed = true
    if outgoing.isEmpty { close() }
  }
}

extension RPCError {
  fileprivate init(_ shortage: IncomingDescriptors.Shortage) {
    switch shortage {
    case .notSent: self = .descriptorUnusable("descriptors: fewer came with the message", path: "descriptors")
    case .notReceived:
      self = .limitExceeded("the daemon has as many descriptors as it may", limit: "descriptors")
    }
  }
}

extension RPCError {
  /// How the fault is told to the peer before the connection ends.
  fileprivate init(_ fault: FramingError) {
    switch fault {
    case .messageTooLarge: self = .messageTooLarge(fault.text)
    case .notJSONRPC, .headerTooLarge, .missingContentLength, .duplicateContentLength,
      .malformedContentLength, .malformedHeader:
      self = .parseError(fault.text)
    }
  }
}
