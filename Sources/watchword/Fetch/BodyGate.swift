internal import CLinux
internal import Glibc
internal import WatchwordClient

/// The pipe of a gated body: closed until the head is known, then passed through or drained.
struct BodyGate: ~Copyable {
  /// The largest pipe that an ordinary user may request: a long body needs fewer turns.
  private static let pipeBytes: Int32 = 1 << 20
  private static let chunk = 256 << 10

  enum Passage {
    case more
    case ended
    case failed(String)
    /// The reader of the output has closed it.
    case unread
    /// The bytes would garble a terminal.
    case binary
  }

  let reading: Descriptor
  private let target: Int32
  private let mustBeText: Bool
  private(set) var passed = 0
  private var canSplice = true
  private var buffer: [UInt8] = []

  /// `target` of -1 drains.
  init(_ reading: consuming Descriptor, target: Int32, mustBeText: Bool) {
    caller_enlarge_pipe(reading.number, Self.pipeBytes)
    self.reading = reading
    self.target = target
    self.mustBeText = mustBeText
  }

  /// Passes on the available bytes; the pipe must be readable.
  mutating func pass() -> Passage {
    if target >= 0, canSplice, !mustBeText {
      let moved = caller_splice(reading.number, target, Int(Self.pipeBytes))
      if moved >= 0 {
        passed += moved
        return moved == 0 ? .ended : .more
      }
      // The pipe has bytes, so the target has no room.
      if Readiness.mayTryAgain(target, to: .write) { return .more }
      // Neither pipe nor file, or a file opened for appending: copied instead.
      guard errno == EINVAL else { return failure() }
      canSplice = false
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.chunk) }
    let count = read(reading.number, &buffer, buffer.count)
    if count < 0 { return errno == EINTR ? .more : .failed(Output.lastError) }
    guard count > 0 else { return .ended }
    if mustBeText, passed == 0, buffer.prefix(count).contains(0) { return .binary }
    passed += count
    guard target >= 0 else { return .more }
    return buffer.withUnsafeBytes { Output.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target) }
      ? .more : failure()
  }

  private func failure() -> Passage { errno == EPIPE ? .unread : .failed(Output.lastError) }
}
