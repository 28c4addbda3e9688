internal import Synchronization

/// Fresh randomness for ids and nonces, from the system's generator.
enum Randomness {
  private static let lastChallenge = Atomic<UInt64>(0)

  /// `c7-` and 64 random bits: unique for the life of the daemon and not guessable.
  @Sendable static func challengeIdentifier() -> String {
    let number = lastChallenge.wrappingAdd(1, ordering: .relaxed).newValue
    return "c\(number)-\(hexadecimal(UInt64.random(in: .min ... .max)))"
  }

  /// A Digest client nonce: 128 bits.
  @Sendable static func clientNonce() -> String {
    hexadecimal(UInt64.random(in: .min ... .max)) + hexadecimal(UInt64.random(in: .min ... .max))
  }

  static func sessionSuffix() -> String { hexadecimal(UInt64.random(in: .min ... .max)) }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
