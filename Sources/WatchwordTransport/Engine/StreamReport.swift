internal import CTransport
internal import WatchwordReactor

/// What libcurl says of the stream of an exchange over HTTP/2: whether the server has not processed its
/// request.
///
/// No result of libcurl says that; its texts do. It begins a transfer again by itself, and is stopped, when
/// the stream was refused or needs HTTP/1.1, and when a used connection broke. Only of a connection that
/// broke it has reported a fault.
@ReactorActor
final class StreamReport {
  /// How a server says that it has not processed a request (RFC 9113 §8.7).
  enum Refusal {
    /// REFUSED_STREAM, or a GOAWAY with a lower last stream (RFC 9113 §6.8).
    case refused
    /// HTTP_1_1_REQUIRED (RFC 9113 §7): the request has to come another way.
    case requiresHTTP1
  }

  private let stream: UnsafeMutablePointer<transport_stream>
  /// Kept, as the record: the report names them.
  private let connection: SlotConnection
  private let record: ExchangeRecord?
  private var repetition: Refusal?

  /// Call it from libcurl's callback before a request. It outlives the handle.
  init?(
    of easy: UnsafeMutableRawPointer, on connection: SlotConnection, _ record: ExchangeRecord?
  ) {
    self.connection = connection
    self.record = record
    stream = .allocate(capacity: 1)
    stream.initialize(to: transport_stream())
    stream.pointee.connection = connection.connection
    if let record { stream.pointee.heads = UnsafePointer(record.report) }
    guard transport_stream_report(easy, stream) == CURLE_OK else { return nil }
  }

  isolated deinit { stream.deallocate() }

  var refusal: Refusal? {
    repetition ?? reset ?? (transport_stream_is_left_out(stream) ? .refused : nil)
  }

  /// libcurl is about to begin the transfer again.
  func noteRepetition(isReused: Bool) {
    repetition = reset ?? (isReused && hasFault ? nil : .refused)
  }

  private var hasFault: Bool { stream.pointee.fault.0 != 0 }

  /// What the error says with which the server has reset the stream (RFC 9113 §7).
  private var reset: Refusal? {
    switch stream.pointee.error {
    case 0x7: .refused
    case 0xd: .requiresHTTP1
    default: nil
    }
  }
}
