internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor

/// Hashes a regular file from its first byte to its last, on the pool: it may lie on a slow file system.
///
/// Piece by piece, so that other work of the pool comes in between. Sendable because one thread has it at a time: the
/// pool while it reads, the loop between two pieces.
final class FileHashing: @unchecked Sendable {
  /// What one visit of the pool reads: some 10 ms.
  private static let bytesPerVisit = 8 * 1024 * 1024
  private static let pieceBytes = 65_536

  private enum Progress: Sendable {
    case more
    case ended
    case failed
  }

  private let descriptor: CallerDescriptor
  private var hashes: BodyHashes
  private var position: off_t = 0

  init(_ descriptor: CallerDescriptor, _ algorithms: Set<IntegrityAlgorithm>) {
    self.descriptor = descriptor
    hashes = BodyHashes(algorithms)
  }

  /// Calls `completion` with the hashes; nil if the file cannot be read.
  @ReactorActor
  func run(_ completion: @escaping @ReactorActor ([IntegrityAlgorithm: HashValue]?) -> Void) {
    FileLane.submit(for: descriptor.number, of: descriptor.account) { [self] in
      visit()
    } then: { [self] progress in
      switch progress {
      case .more: run(completion)
      case .ended: completion(hashes.finish())
      case .failed: completion(nil)
      }
    }
  }

  private func visit() -> Progress {
    withUnsafeTemporaryAllocation(byteCount: Self.pieceBytes, alignment: 1) { piece in
      var left = Self.bytesPerVisit
      while left > 0 {
        let count = SystemCall.uninterrupted {
          pread(descriptor.number, piece.baseAddress, piece.count, position)
        }
        guard count >= 0 else { return .failed }
        if count == 0 { return .ended }
        hashes.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        position += off_t(count)
        left -= count
      }
      return .more
    }
  }
}
