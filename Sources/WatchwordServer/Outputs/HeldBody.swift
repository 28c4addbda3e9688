internal import WatchwordTransport

/// The body of a refusal or redirect: its beginning is kept aside while the response may become the result, so that it
/// reaches the output only then; else it is read for the connection's sake only.
struct HeldBody {
  /// Bytes that are kept (challenges.md 4.6): refusals are short pages, and every task that waits may hold one.
  static let capacity = 256 * 1024

  /// Bytes that are read to keep a connection: about what arrives in the round trips that a new one over TLS
  /// takes. A server that sends more, or sends without end, keeps nobody from going on.
  static let readLimit = 1024 * 1024

  /// How long they are waited for: what the task does next needs the head only.
  static let readSeconds = 5.0

  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Whether more came than is kept.
  var isCut: Bool { count > HeldBody.capacity }

  /// - Parameter isKept: whether it may become the result.
  mutating func take(_ new: UnsafeRawBufferPointer, isKept: Bool) -> BodyAnswer {
    count += new.count
    if isKept { bytes.append(contentsOf: new.prefix(HeldBody.capacity - bytes.count)) }
    return count > HeldBody.readLimit ? .enough : .taken
  }
}
