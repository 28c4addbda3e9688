internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

/// The body of a task's requests: sent again on every exchange, if it can be.
final class RequestBody {
  enum Source {
    case none
    case bytes([UInt8])
    /// A regular file, from its current offset.
    case file(CallerDescriptor, offset: Int64, length: Int64)
    case stream(CallerDescriptor)
  }

  /// Largest file that is hashed for Digest `auth-int`; beyond it another offer is used.
  private static let hashedBytes: Int64 = 8 * 1024 * 1024
  /// Bytes hashed at a time, and the most that are hashed in memory on the loop (0.2 ms).
  private static let pieceBytes = 65_536

  private let source: Source
  private var wanted = HashAlgorithm.md5
  private var hashed: (algorithm: HashAlgorithm, body: DigestBody)?

  init(_ source: Source) { self.source = source }

  var isEmpty: Bool {
    switch source {
    case .none: true
    case .bytes, .file, .stream: false
    }
  }

  var isReplayable: Bool {
    switch source {
    case .none, .bytes, .file: true
    case .stream: false
    }
  }

  /// In bytes; nil for a stream.
  var size: Int64? {
    switch source {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let length): length
    case .stream: nil
    }
  }

  var content: RequestStep.Body { isEmpty ? .none : isReplayable ? .replayable : .notReplayable }

  func exchangeBody() -> ExchangeBody {
    switch source {
    case .none: return .none
    case .bytes(let bytes): return .bytes(bytes)
    case .file(let descriptor, let offset, let length):
      return .file(descriptor: descriptor.number, offset: offset, length: length)
    case .stream(let descriptor): return .stream(descriptor: descriptor.readyNumber)
    }
  }

  /// For Digest `auth-int` (RFC 7616 §3.4.3). After `unread`, call `hash` and take its result.
  func digestBody(_ algorithm: DigestAlgorithm) -> DigestBody {
    if let hashed, hashed.algorithm == algorithm.hash {
      // The algorithm may differ the next time.
      self.hashed = nil
      return hashed.body
    }
    wanted = algorithm.hash
    switch source {
    case .none: return .empty
    case .bytes(let bytes): return bytes.count > RequestBody.pieceBytes ? .unread : hashing()
    case .file(_, _, let length): return length > RequestBody.hashedBytes ? .unknown : .unread
    case .stream: return .unknown
    }
  }

  func keepHash(_ body: DigestBody) { hashed = (wanted, body) }

  /// Hashes it on a thread that may block: a file may lie on a slow file system.
  ///
  /// - Parameter uid: whose work it is.
  @ReactorActor
  func hash(for uid: UInt32, then: @escaping @ReactorActor (DigestBody) -> Void) {
    if case .file(let descriptor, _, _) = source {
      FileLane.submit(for: descriptor.number, of: uid, hashing, then: then)
    } else {
      ComputingLane.submit(for: uid, hashing, then: then)
    }
  }

  var hashing: @Sendable () -> DigestBody {
    let wanted = wanted
    switch source {
    case .none: return { .empty }
    case .bytes(let bytes): return { RequestBody.hash(bytes, wanted) }
    case .file(let descriptor, let offset, let length):
      return { RequestBody.hash(descriptor, offset, length, wanted) }
    case .stream: return { .unknown }
    }
  }

  private static func hash(_ bytes: [UInt8], _ algorithm: HashAlgorithm) -> DigestBody {
    guard var hash = Hash(algorithm) else { return .unknown }
    hash.update(bytes)
    return .hashed(hash.finish())
  }

  private static func hash(
    _ descriptor: CallerDescriptor, _ offset: Int64, _ length: Int64, _ algorithm: HashAlgorithm
  ) -> DigestBody {
    guard var hash = Hash(algorithm) else { return .unknown }
    return withUnsafeTemporaryAllocation(byteCount: pieceBytes, alignment: 1) { piece in
      var done: Int64 = 0
      while done < length {
        let wanted = Int(min(Int64(piece.count), length - done))
        let count = pread(descriptor.number, piece.baseAddress, wanted, off_t(offset + done))
        // Shorter than stated, or unreadable.
        guard count > 0 else { return .unknown }
        hash.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        done += Int64(count)
      }
      return .hashed(hash.finish())
    }
  }
}

/// The `body` of a result.
enum TaskBody: Sendable {
  case bytes([UInt8])
  /// Is sent with the reply.
  case file(MemoryFile)
  /// The bytes went to a descriptor or into notifications, or were discarded.
  case size(Int64)
  /// The number of bytes received, and what happened to the file that was to be continued.
  case partial(size: Int64, PartialDownload.Continuation)
}
