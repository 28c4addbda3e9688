internal import Glibc
internal import WatchwordCore
internal import WatchwordTransport

/// The body of a task's requests: sent again on every exchange, when it can be.
final class RequestBody {
  enum Source {
    case none
    case bytes([UInt8])
    /// A regular file from where its offset stood.
    case file(CallerDescriptor, offset: Int64, length: Int64)
    case stream(CallerDescriptor)
  }

  /// A file is hashed for Digest `auth-int` up to here; beyond it another offer has to do.
  private static let hashedBytes: Int64 = 8 * 1024 * 1024

  private let source: Source
  private var wasTaken = false

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

  /// False once bytes of a stream have been taken: they are gone.
  var canBeSentNow: Bool { isReplayable || !wasTaken }

  func noteTaken() { wasTaken = true }

  /// In bytes; nil for a stream.
  var size: Int64? {
    switch source {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .file(_, _, let length): length
    case .stream: nil
    }
  }

  var hop: RedirectHop.Body { isEmpty ? .none : isReplayable ? .replayable : .notReplayable }

  func exchangeBody() -> ExchangeBody {
    switch source {
    case .none: return .none
    case .bytes(let bytes): return .bytes(bytes)
    case .file(let descriptor, let offset, let length):
      return .file(descriptor: descriptor.number, offset: offset, length: length)
    case .stream(let descriptor): return .stream(descriptor: descriptor.readyNumber)
    }
  }

  /// For Digest `auth-int` (RFC 7616 §3.4.3).
  func digestBody(_ algorithm: DigestAlgorithm) -> DigestBody {
    switch source {
    case .none: return .empty
    case .bytes(let bytes): return hash(algorithm) { $0.update(bytes) }
    case .file(let descriptor, let offset, let length):
      guard length <= RequestBody.hashedBytes else { return .unknown }
      var bytes = [UInt8](repeating: 0, count: Int(length))
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor.number, $0.baseAddress, $0.count, off_t(offset))
      }
      return count == Int(length) ? hash(algorithm) { $0.update(bytes) } : .unknown
    case .stream: return .unknown
    }
  }

  private func hash(_ algorithm: DigestAlgorithm, _ feed: (inout Hash) -> Void) -> DigestBody {
    guard var hash = Hash(algorithm.hash) else { return .unknown }
    feed(&hash)
    return .hashed(hash.finish())
  }
}
