internal import CLinux
internal import Glibc
internal import Synchronization
internal import WatchwordVocabulary

/// Fresh randomness for ids and nonces, from the system's generator.
enum Randomness {
  private static let lastChallenge = Atomic<UInt64>(0)
  /// Unused random numbers: every Digest exchange takes two, and asking the kernel each time is slow.
  private static let fresh = Locked<[UInt64]>([])
  /// 256 bytes, the most that getentropy(3) returns.
  private static let freshCount = 32

  /// `c7-` and 64 random bits: unique for the life of the daemon and not guessable.
  @Sendable static func challengeIdentifier() -> String {
    let number = lastChallenge.wrappingAdd(1, ordering: .relaxed).newValue
    return "c\(number)-\(hexadecimal(next()))"
  }

  /// A Digest client nonce: 128 bits.
  @Sendable static func clientNonce() -> String {
    hexadecimal(next()) + hexadecimal(next())
  }

  /// A key of 256 bits for this run of the daemon.
  static func key() -> Secret {
    Secret(count: 32) { target in
      for offset in stride(from: 0, to: 32, by: 8) {
        target.storeBytes(of: next(), toByteOffset: offset, as: UInt64.self)
      }
    }
  }

  static func sessionSuffix() -> String { hexadecimal(next()) }

  private static func next() -> UInt64 {
    fresh.withLock { fresh in
      if fresh.isEmpty {
        fresh = [UInt64](unsafeUninitializedCapacity: freshCount) { buffer, count in
          count = getentropy(buffer.baseAddress, freshCount * 8) == 0 ? freshCount : 0
        }
      }
      return fresh.popLast() ?? UInt64.random(in: .min ... .max)
    }
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    withUnsafeBytes(of: value.bigEndian) { Hexadecimal.text($0) }
  }
}

/// Wall-clock time; the event loop has the monotonic time.
enum Clock {
  /// Seconds since 1970.
  static func wallSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
