internal import Glibc
internal import WatchwordReactor

/// Collects what a caller's descriptor gives, up to a bound of bytes and of time.
///
/// A regular file is read from its beginning, on the pool: it may lie on a slow file system. Its offset,
/// which is shared with the caller, stays as it is. A pipe or socket is read to its end, when it is ready.
@ReactorActor
final class CollectingInput {
  enum InputFault: Error, Sendable {
    case unreadable(Int32)
    case tooLarge
    case overBudget
    case timedOut
  }

  typealias Completion = @ReactorActor (Result<[UInt8], InputFault>) -> Void

  private static let chunk = 64 * 1024
  /// Chunks that are read before others have their turn.
  private static let chunksPerTurn = 16

  private let descriptor: CallerDescriptor
  private let maximumBytes: Int
  /// Has the bytes collected so far; the owner gives them back.
  private let charge: MemoryCharge
  private var bytes: [UInt8] = []
  private var completion: Completion?
  private var watch: Watch?
  private var timer: LoopTimer?

  /// - Parameter descriptor: checked for reading.
  init(_ descriptor: CallerDescriptor, maximumBytes: Int, charge: MemoryCharge) {
    self.descriptor = descriptor
    self.maximumBytes = maximumBytes
    self.charge = charge
  }

  /// - Parameter completion: called once, unless ``abandon()`` was called before.
  func collect(withinSeconds seconds: Double, _ completion: @escaping Completion) {
    self.completion = completion
    if let size = descriptor.sizeAndOffset?.size { return collectFile(size) }
    timer = EventLoop.shared.schedule(after: seconds) { [self] in end(.failure(.timedOut)) }
    do {
      watch = try EventLoop.shared.watch(descriptor.readyNumber, for: .readable) { [self] _ in readOn() }
    } catch {
      end(.failure(.unreadable(EIO)))
    }
  }

  func abandon() {
    completion = nil
    watch?.cancel()
    watch = nil
    timer?.cancel()
    timer = nil
  }

  private func end(_ result: Result<[UInt8], InputFault>) {
    guard let completion else { return }
    abandon()
    bytes = []
    completion(result)
  }

  // MARK: Files

  private func collectFile(_ size: Int64) {
    guard let count = Int(exactly: size), count <= maximumBytes else { return end(.failure(.tooLarge)) }
    guard charge.grow(by: count) else { return end(.failure(.overBudget)) }
    FileLane.submit(for: descriptor.number, of: descriptor.account) { [descriptor] in
      CollectingInput.contents(of: descriptor.number, count)
    } then: { [self] in
      end($0)
    }
  }

  /// What is appended meanwhile is left out.
  private nonisolated static func contents(of number: Int32, _ size: Int) -> Result<[UInt8], InputFault> {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { buffer in
      SystemCall.fill(buffer) { pread(number, $0.baseAddress, $0.count, off_t($1)) }
    }
    guard let count else { return .failure(.unreadable(errno)) }
    bytes.removeLast(size - count)
    return .success(bytes)
  }

  // MARK: Pipes and sockets

  private func readOn() {
    var buffer = [UInt8](repeating: 0, count: CollectingInput.chunk)
    for _ in 0..<CollectingInput.chunksPerTurn {
      let taken = buffer.withUnsafeMutableBytes { descriptor.readWithoutWaiting(into: $0) }
      guard let taken else { return }
      if taken < 0 { return end(.failure(.unreadable(Int32(-taken)))) }
      if taken == 0 { return end(.success(bytes)) }
      guard bytes.count + taken <= maximumBytes else { return end(.failure(.tooLarge)) }
      guard charge.grow(by: taken) else { return end(.failure(.overBudget)) }
      bytes += buffer[..<taken]
    }
  }
}
