internal import CTransport

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
