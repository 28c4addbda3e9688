internal import WatchwordTransport

/// The body of a refusal or redirect: kept aside while the response may become the result, so that it reaches
/// the output only then; else read for the connection's sake only.
struct HeldBody {
  /// Refusals are short pages; a larger one is not worth the memory of everybody who waits.
  static let capacity = 256 * 1024

  /// Bytes that are read to keep a connection: about what arrives in the round trips that a new one over TLS
  /// takes. A server that sends more, or sends without end, keeps nobody from going on.
  static let readLimit = 1024 * 1024

  /// How long they are waited for: what the task does next needs the head only.
  static let readSeconds = 5.0

  private(set) var bytes: [UInt8] = []
  private var count = 0

  var isTooLarge: Bool { count > HeldBody.capacity }

  /// - Parameter isKept: whether it may become the result.
  mutating func take(_ new: UnsafeRawBufferPointer, isKept: Bool) -> BodyAnswer {
    count += new.count
    if isTooLarge { bytes = [] } else if isKept { bytes.append(contentsOf: new) }
    return count > HeldBody.readLimit ? .enough : .taken
  }
}
