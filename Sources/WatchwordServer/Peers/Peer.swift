internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One connection: its bytes, its framing, its requests in hand. Knows no method.
@ReactorActor
final class Peer {
  let identifier: PeerIdentifier
  let process: PeerProcess
  /// What tells the process from that of every other connection.
  let caller: ProcessIdentifier
  /// Said in `initialize`.
  var takesDescriptors = false
  var callerName: String?
  var callerVersion: String?
  /// The sessions that this connection holds, by id.
  var sessions: [String: Session] = [:]
  /// Nil: the connection has every right of its uid.
  private(set) var restriction: ActiveRestriction?
  /// The sockets on which restricted connections are accepted for it.
  var listeners: [RestrictedListener] = []
  /// Where this connection was accepted, if it is such a one.
  var entrance: RestrictedEntrance?
  /// Identities of this connection that are being read now.
  var identitiesInReading = 0

  private let descriptor: Int32
  /// The daemon, which lives as long as the process.
  private unowned let delegate: any PeerDelegate
  private var decoder = FrameDecoder(messageLimit: Limits.messageBytes)
  private var incoming = IncomingDescriptors()
  private var outgoing = OutgoingBytes()
  private var watch: Watch?
  private let taker: TurnTaker
  /// A batch whose messages are not all taken.
  private var openBatch: OpenBatch?
  /// Whether messages that have arrived wait for the next step; no more is read meanwhile.
  private var isBehind = false
  private var calls = CallsInHand()
  private var bytesReceived = 0
  private var isFlushScheduled = false
  /// Whether nothing is read and taken apart until the peer has read more of what waits for it.
  private var isPaused = false
  /// For what has arrived and is no whole message yet: in the reserve, or, where that has no room, with the rest.
  private let incomingCharge: MemoryCharge
  private let overflowCharge: MemoryCharge
  /// For what waits to be read by the peer.
  private let outgoingCharge: MemoryCharge
  /// Whether the peer has closed both directions: no reply can be sent.
  private var hasHungUp = false
  private var hasInputEnded = false
  private(set) var isClosed = false
  private var closesWhenFlushed = false
  private var slowTimer: LoopTimer?
  private var drainHandlers: [() -> Void] = []

  init(
    _ identifier: PeerIdentifier, descriptor: Int32, process: PeerProcess,
    delegate: any PeerDelegate
  ) {
    self.identifier = identifier
    self.descriptor = descriptor
    self.process = process
    caller = process.identifier(behind: identifier)
    self.delegate = delegate
    taker = EventLoop.shared.taker(of: process.uid)
    incomingCharge = MemoryCharge(delegate.reserve, uid: process.uid)
    overflowCharge = MemoryCharge(delegate.budget, uid: process.uid)
    outgoingCharge = MemoryCharge(delegate.budget, uid: process.uid)
  }

  private struct OpenBatch {
    let batch: Batch
    var rest: ArraySlice<Message>
    /// Where it ended in the bytes of the connection.
    let end: Int
  }

  var callsInHand: Int { calls.count }

  /// Private sessions of other connections are not its business.
  func mayRead(_ entry: HistoryEntry) -> Bool {
    !entry.session.hasPrefix(SessionOpen.privatePrefix) || sessions[entry.session] != nil
  }

  func sees(_ session: Session) -> Bool {
    restriction == nil && session.isVisible(to: identifier, of: process.uid)
  }

  /// Whether it may look at the task and stop it; a restricted connection only at those that it has started as one.
  func mayUse(_ task: FetchTask) -> Bool {
    guard let restriction else { return sees(task.session) }
    return task.peer == identifier && task.known.restriction == restriction.identifier
  }

  /// Gives up every other right, for good.
  func restrict(to restriction: ActiveRestriction) {
    self.restriction = restriction
    for session in sessions.values where session !== restriction.session { session.remove(identifier) }
    sessions = restriction.session.map { [$0.name: $0] } ?? [:]
  }

  func open() {
    do {
      watch = try EventLoop.shared.watch(descriptor, for: .readable, in: taker) { [weak self] in
        self?.ready($0)
      }
    } catch {
      close()
    }
  }

  // MARK: Reading

  private func ready(_ interest: Interest) {
    if interest.contains(.hangUp) { hasHungUp = true }
    if interest.contains(.writable) { flush() }
    if interest.contains(.readable) && !hasInputEnded && !isClosed && !isBehind && !isPaused { receive() }
    if hasHungUp { hangUp() }
  }

  /// The peer is gone, and what it had asked is still done. No reply is kept, so that none holds that up.
  private func hangUp() {
    guard !isClosed else { return }
    hasHungUp = true
    outgoing.closeAll()
    isPaused = false
    if !isBehind { decode() }
    receiveRest()
  }

  private func receiveRest() {
    while !hasInputEnded && !isClosed && !isBehind && receive() {}
    if !isBehind && !isClosed { close() }
  }

  /// False when nothing was there to be read, or nothing ever will be.
  @discardableResult
  private func receive() -> Bool {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(CLINUX_DESCRIPTORS_ROOM)) {
      receive(into: $0)
    }
  }

  /// - Parameter descriptors: room for those that come with the bytes.
  private func receive(into descriptors: UnsafeMutableBufferPointer<Int32>) -> Bool {
    var count: Int32 = 0
    var (isTruncated, isIncomplete) = (false, false)
    var received = 0
    var failure: Int32 = 0
    decoder.read { bytes in
      guard let start = bytes.baseAddress, let room = descriptors.baseAddress else { return 0 }
      received = clinux_receive(
        descriptor, start, bytes.count, room, &count, &isTruncated, &isIncomplete, false)
      failure = errno
      return max(0, received)
    }
    if received < 0 {
      if failure == EINTR { return true }
      if failure != EAGAIN && failure != EWOULDBLOCK { close() }
      return false
    }
    bytesReceived += received
    let isWithinLimit = incoming.add(
      descriptors.prefix(Int(count)), isIncomplete: isIncomplete, endingAt: bytesReceived)
    guard !isTruncated, isWithinLimit else {
      incoming.closeAll()
      refuse(
        RPCError(
          .limitExceeded, "more descriptors than a message may carry",
          details: ["limit": .string(isTruncated ? "descriptorsPerMessage" : "unclaimedDescriptors")]))
      return false
    }
    guard received > 0 else {
      inputEnded()
      return false
    }
    decode()
    return true
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
      var parsed: Result<JSONNode, JSONError>?
      do throws(FramingError) {
        let found = try decoder.nextFrame { frame in
          do throws(JSONError) {
            parsed = .success(try JSONParser.ofMessages.node(frame))
          } catch {
            parsed = .failure(error)
          }
          // It may hold a secret.
          return true
        }
        guard found, let parsed else { return }
        let end = bytesReceived - decoder.unconsumed
        switch parsed {
        case .success(let value):
          decoder.endDoubt()
          switch Incoming(value) {
          case .single(let message): take(message, batch: nil, endingAt: end)
          case .batch(let messages):
            let batch = Batch(
              peer: self, charge: MemoryCharge(delegate.budget, uid: process.uid),
              smallCharge: MemoryCharge(delegate.reserve, uid: process.uid))
            openBatch = OpenBatch(batch: batch, rest: messages[...], end: end)
            continue
          }
        case .failure(let error): reject(error)
        }
        incoming.closeUnclaimed(endingBy: end)
      } catch {
        return refuse(RPCError(error.kind, error.text))
      }
    }
  }

  private func countIncoming() {
    let held = isClosed ? 0 : decoder.heldBytes
    let counted = held > OutgoingBytes.pieceBytes ? held : 0
    if incomingCharge.grow(to: counted) { return overflowCharge.giveBack() }
    incomingCharge.giveBack()
    if !overflowCharge.grow(to: counted) && !closesWhenFlushed { refuse(.overBudget) }
  }

  /// Whether the peer has to read before it may ask more. Otherwise each of its requests is worth a reply that stays.
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
  private func resume() {
    guard isPaused, !mustPause, !hasInputEnded, !isClosed else { return }
    isPaused = false
    if !isBehind { goOnInNextStep() }
  }

  /// A message that is not JSON costs an error; its end is known, and the next one is read as usual.
  private func reject(_ error: JSONError) {
    let reply = RPCError(.parseError, error.text)
    guard !decoder.isInDoubt else { return refuse(reply) }
    send { writer in Envelope.error(to: &writer, .null, reply) }
  }

  private func takeNextOfBatch() {
    guard let open = openBatch else { return }
    if let message = openBatch?.rest.popFirst() {
      return take(message, batch: open.batch, endingAt: open.end)
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
    if !hasInputEnded && !isPaused { watch?.interest.insert(.readable) }
  }

  private func take(_ message: Message, batch: Batch?, endingAt end: Int) {
    switch message {
    case .response: return
    case .invalid(let identifier, let error):
      let call = Call(self, identifier: identifier, descriptors: [], batch: batch)
      calls.insert(call)
      call.fail(error)
    case .notification(let request):
      let descriptors = (try? incoming.claim(request.descriptors)) ?? []
      let call = Call(
        self, identifier: nil, descriptors: descriptors, batch: nil)
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
        self, identifier: request.identifier, descriptors: descriptors, batch: batch)
      calls.insert(call)
      if let shortage { return call.fail(RPCError(shortage)) }
      guard calls.count <= Limits.requestsPerConnection else {
        return call.fail(
          RPCError(
            .limitExceeded, "more than \(Limits.requestsPerConnection) requests in flight",
            details: ["limit": .string("requestsPerConnection")]))
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
  func calls(with identifier: RequestIdentifier) -> [Call] {
    calls.all.filter { $0.identifier == identifier }
  }

  /// The peer will send no more; what it has asked is still answered, but it can be asked nothing.
  private func inputEnded() {
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

  // MARK: Writing

  /// Writes one message; `write` puts its JSON text, this the frame. Descriptors are closed once they are sent.
  ///
  /// - Parameter identifier: of the request that it replies to. A reply that the uid has no room for becomes an error;
  ///   a notification cannot be left out, and the connection ends.
  func send(
    _ identifier: RequestIdentifier? = nil, descriptors: [Int32] = [], _ write: (inout JSONWriter) -> Void
  ) {
    guard mayAppend() else { return drop(descriptors) }
    let framing = decoder.framing ?? .line
    // Small ones are counted when they turn out to stay.
    let isAppended = outgoing.append(
      descriptors: descriptors, framing: framing,
      mayHold: { $0 <= OutgoingBytes.pieceBytes || outgoingCharge.grow(to: $0) }, write)
    if !isAppended {
      drop(descriptors)
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
  func send(_ message: [OutgoingBytes.Piece], descriptors: [Int32]) {
    guard mayAppend() else { return drop(descriptors) }
    outgoing.append(message, descriptors: descriptors, framing: decoder.framing ?? .line)
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

  private func drop(_ descriptors: [Int32]) {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }

  /// Ends a connection that does not read what it is sent; its callers find the reason in the log.
  private func endOverdue(_ reason: String) {
    guard !isClosed else { return }
    delegate.peer(self, endsBecause: reason, waiting: outgoing.count)
    close()
  }

  func notify(_ notification: some OutgoingNotification, descriptors: [Int32] = []) {
    send(descriptors: descriptors) { writer in
      Envelope.notification(to: &writer, notification, descriptors: descriptors.count)
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

  private func flush() {
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
  private func drained() {
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

  // MARK: End

  /// Says why, and ends the connection.
  func refuse(_ error: RPCError) {
    send { writer in Envelope.error(to: &writer, .null, error) }
    endAfterFlush()
  }

  /// Ends the connection once everything has been sent.
  func finish() {
    endAfterFlush()
    if outgoing.isEmpty { close() }
  }

  /// Reads no more: what is not taken apart any longer would only pile up.
  private func endAfterFlush() {
    closesWhenFlushed = true
    hasInputEnded = true
    watch?.interest.remove(.readable)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch?.cancel()
    watch = nil
    slowTimer?.cancel()
    decoder.wipe()
    openBatch = nil
    incoming.closeAll()
    outgoing.closeAll()
    incomingCharge.giveBack()
    overflowCharge.giveBack()
    outgoingCharge.giveBack()
    let left = calls.all
    for call in left { call.abandon() }
    calls = CallsInHand()
    drained()
    delegate.peerClosed(self)
    // Descriptors that were not received may still be in it.
    shutdown(descriptor, Int32(SHUT_RDWR))
    DescriptorCloser.close(descriptor)
  }
}

extension RPCError {
  fileprivate init(_ shortage: IncomingDescriptors.Shortage) {
    switch shortage {
    case .notSent: self.init(.descriptorUnusable, "descriptors: fewer came with the message")
    case .notReceived:
      self.init(
        .limitExceeded, "the daemon has as many descriptors as it may",
        details: ["limit": .string("descriptors")])
    }
  }
}

extension FramingError {
  /// How the fault is told to the peer before the connection ends.
  fileprivate var kind: ErrorKind {
    switch self {
    case .messageTooLarge: .messageTooLarge
    case .notJSONRPC, .headerTooLarge, .missingContentLength, .duplicateContentLength,
      .malformedContentLength, .malformedHeader:
      .parseError
    }
  }
}
