internal import WatchwordReactor
internal import WatchwordTransport

/// The body of a refusal or redirect. If the response may become the result, its beginning is held back from
/// the output until that is decided; otherwise the body is read only to keep the connection.
@ReactorActor
struct HeldBody {
  /// Bytes that are held (challenges.md 4.6): refusals are short pages, and every waiting task may hold one.
  static let capacity = 256 * 1024

  /// Bytes that are read to keep a connection: about as many as arrive in the round trips of a new one over
  /// TLS. A server that sends more, or without end, does not delay the task.
  static let readLimit = 1024 * 1024

  /// How long the body is read: the next step of the task needs only the head.
  static let readSeconds = 5.0

  /// How long nothing of it may arrive: cameras keep the body of a refusal open.
  static let quietSeconds = 0.5

  private(set) var bytes: [UInt8] = []
  /// Whether more arrived than is held.
  private(set) var isCut = false
  /// For the bytes.
  private let charge: MemoryCharge
  /// Until when it is read; nil before it begins.
  private var end: Double?
  private var count = 0

  /// - Parameter charge: has nothing yet, and is for this body alone.
  init(_ charge: MemoryCharge) { self.charge = charge }

  /// How long to wait for more of it.
  ///
  /// - Parameter quiet: how long nothing may arrive.
  mutating func secondsLeft(at now: Double, quiet: Double) -> Double {
    let end = end ?? now + HeldBody.readSeconds
    self.end = end
    return max(0, min(quiet, end - now))
  }

  /// The time of a task that was suspended begins again.
  mutating func goOn() { end = nil }

  /// - Parameter isKept: whether it may become the result.
  mutating func receive(_ new: UnsafeRawBufferPointer, isKept: Bool) -> BodyAnswer {
    count += new.count
    if isKept, !isCut {
      let fitting = UnsafeRawBufferPointer(rebasing: new.prefix(HeldBody.capacity - bytes.count))
      isCut = !hold(fitting) || fitting.count < new.count
    }
    return count > HeldBody.readLimit ? .enough : .taken
  }

  /// Holds all of them; false, and nothing held, where they are too many or the uid has no room.
  mutating func hold(_ new: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + new.count <= HeldBody.capacity, charge.grow(by: new.count) else { return false }
    bytes.append(contentsOf: new)
    return true
  }

  /// Those that go on to their destination.
  mutating func takeBytes() -> [UInt8] {
    charge.giveBack()
    defer { bytes = [] }
    return bytes
  }

  /// Another body follows.
  mutating func begin() {
    charge.giveBack()
    self = HeldBody(charge)
  }
}
