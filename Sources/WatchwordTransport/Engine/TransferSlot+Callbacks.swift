internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// What libcurl reports about the running exchange. All of it runs inside libcurl.
extension TransferSlot {
  /// A connection was found; the request timeout starts now.
  ///
  /// A second call means that libcurl is about to repeat the request, because a reused connection broke, a
  /// stream was refused or a 417 came. The transport does not decide about repetitions.
  func requestWillBeSent() -> Int32 {
    guard isRunning, !stopsRepetition(), isConnectionUp() else { return Int32(CURL_PREREQFUNC_ABORT) }
    noteTunnel()
    guard isRunning else { return Int32(CURL_PREREQFUNC_ABORT) }
    transfer.isSent = true
    transfer.proxyHeadBytes = head.pointee.total
    guard isBoundConnection() else {
      fail(.boundConnectionLost)
      return Int32(CURL_PREREQFUNC_ABORT)
    }
    if let connection = transfer.connection, !suits(connection) {
      transfer.beginsAgain = true
      return Int32(CURL_PREREQFUNC_ABORT)
    }
    noteNumber()
    recordConnection()
    transfer.lastActivity = EventLoop.shared.now
    return Int32(authorize() && authorizeAtProxy() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
  }

  private func noteNumber() {
    guard let pool, let line, transfer.connection?.networkProtocol != TRANSPORT_PROTOCOL_HTTP2 else { return }
    let port = transport_easy_local_port(easy)
    transfer.number = pool.numbers.number(of: line.origin, port, isNew: !transfer.isReused)
  }

  /// Whether the connection leads to the origin already. Where an origin supports HTTP/2, libcurl 7.88 also
  /// gives an exchange one that another exchange is making, and that cannot be used yet. It waits in line.
  private func isConnectionUp() -> Bool {
    transfer.isReused = transport_easy_connections_made(easy) == 0
    transfer.connection = SlotConnection(of: easy)
    guard let line else { return false }
    if line.origin.isSecure, proxy?.hop.tunnel != .requested, transfer.connection?.isUp != true {
      transfer.hasJoinedEarly = true
      line.holdBack()
      return false
    }
    if !transfer.isReused, line.letOn() { pool?.putOff(.admit(line)) }
    return true
  }

  /// Whether the connection suits the request. If not, the exchange begins again with another one.
  private func suits(_ connection: SlotConnection) -> Bool {
    guard let pool, let line else { return false }
    let spoken = connection.networkProtocol
    if spoken == TRANSPORT_PROTOCOL_HTTP2 {
      transfer.report = StreamReport(of: easy, on: connection, transfer.record)
      pool.hasSpokenHTTP2 = true
      pool.siblings?.protocols.noteHTTP2(line.origin)
      if line.multiplexes() { pool.putOff(.admit(line)) }
    } else if pool.hasSpokenHTTP2, connection.isShared {
      // Where an origin supports HTTP/1.1 and HTTP/2, libcurl 7.88 treats a busy HTTP/1.1 connection as
      // shareable: the request would be read as part of the other one's body. (Without HTTP/2 it does not,
      // and an exchange that libcurl has just ended may still hold its connection.)
      exchange.requiresNewConnection = true
      return false
    }
    guard let siblings = pool.siblings, siblings.avoidsHTTP2(exchange) else { return true }
    guard pool.isHTTP1Only else { return spoken != TRANSPORT_PROTOCOL_HTTP2 }
    // The origin supports HTTP/2, which it was not offered, and did not agree to HTTP/1.1.
    if spoken != TRANSPORT_PROTOCOL_HTTP1 { siblings.protocols.noteRefusalOfHTTP1(line.origin) }
    return spoken == TRANSPORT_PROTOCOL_HTTP1
  }

  /// Whether the connection is the one that the request's token is for.
  private func isBoundConnection() -> Bool {
    guard let request = exchange.request else { return false }
    guard let binding = request.binding else { return true }
    if binding.requiresReuse, !transfer.isReused { return false }
    return binding.serverEndPoint.isEmpty || binding.serverEndPoint == serverEndPoint()
  }

  /// The data of the connection's channel binding (RFC 5929 §4.1); empty in cleartext.
  func serverEndPoint() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(TRANSPORT_END_POINT_BYTES)) { target, count in
      count = target.baseAddress.map { transport_server_end_point(easy, $0) } ?? 0
    }
  }

  /// Whether the request was given to a connection before.
  private func stopsRepetition() -> Bool {
    guard transfer.isSent else { return false }
    transfer.wasRepeated = true
    transfer.report?.noteRepetition(isReused: transfer.isReused)
    return true
  }

  /// Adds the keys and the `Authorization` value that are computed now: libcurl reads the list of fields
  /// after this callback. False when the request cannot be sent.
  private func authorize() -> Bool {
    guard let request = exchange.request, let delegate = exchange.delegate else { return isRunning }
    let keys = request.proxy?.tunnel == .requested ? [] : delegate.keyFields(for: exchange)
    if let record = transfer.record { record.hide(keys) }
    let value = request.isAuthorizedLate ? delegate.authorization(for: exchange) : nil
    guard value != nil || !keys.isEmpty else { return isRunning }
    guard value.map(RequestFault.isValue) ?? true, keys.allSatisfy(RequestFault.isField) else { return false }
    let list = fields.add(authorization: value, keys)
    return transport_easy_set_pointer(easy, CURLOPT_HTTPHEADER, list) == CURLE_OK
  }

  /// False when the exchange was cancelled: libcurl is told to stop as soon as possible.
  var isRunning: Bool { isAttached && !exchange.isFinished }

  // MARK: Response

  func receiveHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isRunning else { return false }
    noteActivity()
    transfer.seenHeadBytes = head.pointee.total
    guard !isOfProxy else { return receiveProxyHead(bytes) }
    guard !claimsHTTP2(bytes) else {
      fail(.malformedResponse)
      return false
    }
    do throws(ResponseHeadParser.HeadFault) {
      if let head = try ResponseHeadParser.parse(bytes) {
        guard let framing = ResponseFraming(head) else { throw .malformed }
        transfer.framing = framing
        // A proxy's own refusal sets no cookie of the origin (methods.md 15.4).
        let isOfProxy = proxy != nil && head.status == 407 && proxy?.hop.isTunnel != true
        if framing.setsCookies, transfer.takesCookies, !isOfProxy, let url = exchange.request?.url {
          cookies?.receive(bytes, from: url)
        }
        noteAgreement(head)
        leaveUnsentBody(head)
        transfer.hasHead = true
        noteInlineBody()
        guard isRunning else { return false }
        // libcurl has stopped sending, but still waits for the paused body.
        if head.status >= 300, transfer.isSendPaused { pool?.unpauseLater(self) }
        exchange.delegate?.exchange(exchange, didReceive: withConnection(head))
      }
    } catch {
      switch error {
      case .tooLarge: fail(.headersTooLarge)
      case .malformed: fail(.malformedResponse)
      }
      return false
    }
    return isRunning
  }

  /// The server may still read the body that it did not ask for, and would take the next request for it.
  /// libcurl 7.88 gives the connection up when the status is an error, and keeps it otherwise.
  private func leaveUnsentBody(_ head: ResponseHead) {
    guard transfer.expectsContinue, transfer.sentBytes == 0, 200..<300 ~= head.status,
      transfer.connection?.networkProtocol != TRANSPORT_PROTOCOL_HTTP2
    else { return }
    _ = transport_easy_set_long(easy, CURLOPT_FORBID_REUSE, 1)
  }

  /// Whether a status line says HTTP/2 on HTTP/1.1: libcurl 7.88 believes it, and shares the connection.
  private func claimsHTTP2(_ head: UnsafeRawBufferPointer) -> Bool {
    guard head.starts(with: "HTTP/2".utf8), transfer.connection?.networkProtocol != TRANSPORT_PROTOCOL_HTTP2
    else { return false }
    pool?.hasSpokenHTTP2 = true
    return true
  }

  private func withConnection(_ head: ResponseHead) -> ResponseHead {
    guard transfer.record != nil || head.status == 401 || head.status == 407 else { return head }
    var head = head
    head.details = detailsOfHead()
    guard head.status == 401 || head.status == 407 else { return head }
    head.isOnReusedConnection = transfer.isReused
    head.connection = transfer.number
    head.serverEndPoint = serverEndPoint()
    return head
  }

  /// A body that goes with the head of the request was sent before anything could be counted.
  private func noteInlineBody() {
    guard let count = transfer.body?.inlineCount, transfer.sentBytes == 0 else { return }
    transfer.sentBytes = Int64(count)
    exchange.delegate?.exchange(exchange, didSendBody: transfer.sentBytes)
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard isRunning else { return 0 }
    // Bytes in a tunnel whose first ones are to be the client's.
    guard transfer.hasHead, !transfer.opensTunnel else {
      fail(.malformedResponse)
      return 0
    }
    noteActivity()
    noteBuffer(of: bytes.count)
    guard !exchange.isPaused, !waitsToReceive() else { return pauseReceiving() }
    guard !EventLoop.shared.isStepOver else { return goOnInNextStep() }
    let isDecoded = isEncoded && exchange.request != nil && exchange.setup.settings.decodesContent
    let taken =
      isDecoded ? decode(bytes, of: exchange) : answer(to: bytes.count, deliver(bytes, of: exchange))
    if taken == bytes.count {
      transfer.pace?.receiving.note(taken, at: EventLoop.shared.now)
      exchange.delegate?.exchange(exchange, didTake: bytes)
    }
    return taken
  }

  /// Decodes received bytes and delivers them piece by piece.
  private func decode(_ bytes: UnsafeRawBufferPointer, of exchange: CurlExchange) -> Int {
    do throws(ContentDecoding.CodingFault) {
      if transfer.decoding == nil { transfer.decoding = try decoding(of: exchange) }
      guard let decoding = transfer.decoding else {
        return answer(to: bytes.count, deliver(bytes, of: exchange))
      }
      var last = Delivery.taken
      let loop = EventLoop.shared
      let progress = try decoding.receive(bytes, inStep: loop.steps, isOver: { loop.isStepOver }) { piece in
        last = exchange.isPaused ? .paused : deliver(piece, of: exchange)
        return last == .taken
      }
      switch progress {
      case .taken, .refused: break
      case .unfinished:
        return goOnInNextStep()
      }
      return answer(to: bytes.count, last)
    } catch {
      fail(error == .overBudget ? .overBudget : .contentDecodingFailed)
      return 0
    }
  }

  private func decoding(of exchange: CurlExchange) throws(ContentDecoding.CodingFault) -> ContentDecoding? {
    let memory = exchange.delegate?.decodingMemory(for: exchange)
    return try ContentDecoding(transfer.framing?.codings ?? []) { bytes in
      assumeOnLoop {
        if bytes > 0 { return memory?.grow(by: bytes) ?? true }
        memory?.shrink(by: -bytes)
        return true
      }
    }
  }

  /// A body in chunks of one byte takes one call for each; what is left while paused arrives in one piece.
  private func goOnInNextStep() -> Int {
    defer { pool?.unpauseLater(self) }
    return pauseReceiving()
  }

  private enum Delivery {
    case taken
    case paused
    /// The exchange ends here, with or without an error.
    case ended
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer, of exchange: CurlExchange) -> Delivery {
    guard let delegate = exchange.delegate else { return .ended }
    if let limit = pool?.configuration.decodedBodyBytes, transfer.bodyBytes + Int64(bytes.count) > limit {
      fail(.bodyTooLarge)
      return .ended
    }
    let resumptions = exchange.resumptions
    switch delegate.exchange(exchange, didReceive: bytes) {
    case .taken:
      transfer.bodyBytes += Int64(bytes.count)
      return isRunning ? .taken : .ended
    case .pause:
      guard isRunning else { return .ended }
      if !exchange.pauseUnlessResumed(since: resumptions) { pool?.unpauseLater(self) }
      return .paused
    case .enough:
      transfer.isCutShort = true
      return .ended
    }
  }

  /// The return value for the bytes that libcurl has offered.
  private func answer(to count: Int, _ delivery: Delivery) -> Int {
    switch delivery {
    case .taken: count
    case .paused: pauseReceiving()
    case .ended: 0
    }
  }

  /// Whether libcurl reads on what is paused, without a bound, as long as it may send
  /// (`CTransport/README.md`).
  private static let readsWhilePaused = transport_library_reads_while_paused()

  private func pauseReceiving() -> Int {
    transfer.isReceivePaused = true
    countBuffers()
    if Self.readsWhilePaused { _ = curl_easy_pause(easy, CURLPAUSE_ALL) }
    return Int(CURL_WRITEFUNC_PAUSE)
  }

  // MARK: Memory

  /// libcurl's buffer has had as much in it as has come, and it keeps it for the whole exchange.
  private func noteBuffer(of count: Int) {
    guard transfer.usedBuffer < Self.bufferBytes else { return }
    transfer.usedBuffer = min(Self.bufferBytes, transfer.usedBuffer + count)
    countBuffers()
  }

  /// While it is paused, libcurl has a copy of what it has read. The beginning counts as the exchange.
  func countBuffers() {
    let used = max(0, transfer.usedBuffer - HeldBytes.exchange)
    let held =
      (transfer.isReceivePaused ? 2 * used : used) + transfer.usedUploadBuffer
      + (transfer.body?.inlineCount ?? 0)
    guard held != transfer.countedBuffers else { return }
    pool?.counters.buffered += held - transfer.countedBuffers
    transfer.countedBuffers = held
  }

  /// Call it outside callbacks; libcurl may call back before this returns.
  func unpause() -> CURLcode {
    guard !exchange.isPaused, transfer.isReceivePaused || transfer.isSendPaused else {
      return CURLE_OK
    }
    transfer.isReceivePaused = false
    transfer.isSendPaused = false
    countBuffers()
    noteActivity()
    return curl_easy_pause(easy, CURLPAUSE_CONT)
  }

  // MARK: Connection

  func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
    guard isRunning, !stopsRepetition(), let pool else { return CURL_SOCKET_BAD }
    if proxy?.hop.tunnel == .open { return openTunnel() }
    if pool.configuration.refusesPrivateAddresses, !AddressPolicy.isPublic(address) {
      transfer.refusedAddress = true
      return CURL_SOCKET_BAD
    }
    guard beginsTunnel() else { return CURL_SOCKET_BAD }
    let socket = pool.openSocket(address)
    if socket != CURL_SOCKET_BAD { transfer.sockets.append(socket) }
    return socket
  }
}

/// libcurl's callbacks for a running exchange; the context is its ``TransferSlot``.
enum TransferCallbacks {
  /// Without its contexts.
  static var all: transport_callbacks {
    transport_callbacks(
      exchange: nil, engine: nil, head: nil, write: write, read: read, seek: seek, open: open,
      close: PoolCallbacks.close, tls: tls, prerequest: prerequest)
  }

  static let head: transport_head_function = { context, bytes, count in
    guard let context else { return false }
    return onLoop(context, UnsafeRawBufferPointer(start: bytes, count: count)) {
      (slot: TransferSlot, head) in slot.receiveHead(head)
    }
  }

  private static let write: transport_write_function = { bytes, size, count, context in
    guard let context else { return 0 }
    return onLoop(context, UnsafeRawBufferPointer(start: bytes, count: size * count)) {
      (slot: TransferSlot, body) in slot.receiveBody(body)
    }
  }

  private static let read: transport_write_function = { bytes, size, count, context in
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return onLoop(context, UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
      (slot: TransferSlot, target) in slot.sendBody(target)
    }
  }

  private static let seek: transport_seek_function = { context, offset, origin in
    guard let context, origin == 0 else { return CURL_SEEKFUNC_FAIL }
    return onLoop(context, Int64(offset)) { (slot: TransferSlot, offset) in slot.rewindBody(to: offset) }
  }

  private static let open: transport_open_function = { context, _, address in
    guard let context, let address else { return CURL_SOCKET_BAD }
    return onLoop(context, address.pointee) { (slot: TransferSlot, address) in slot.openSocket(address) }
  }

  private static let tls: transport_tls_function = { _, sslContext, context in
    guard let context, let sslContext else { return CURLE_ABORTED_BY_CALLBACK }
    return onLoop(context, sslContext) { (slot: TransferSlot, sslContext) in slot.installTrust(sslContext) }
  }

  private static let prerequest: transport_prerequest_function = { context, _, _, _, _ in
    guard let context else { return Int32(CURL_PREREQFUNC_ABORT) }
    return onLoop(context, ()) { (slot: TransferSlot, _) in slot.requestWillBeSent() }
  }
}
