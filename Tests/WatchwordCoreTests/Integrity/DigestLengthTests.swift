import Testing

@testable import WatchwordCore

/// A digest of another length than its hash can be met by nothing.
struct DigestLengthTests {
  @Test(arguments: [(31, false), (32, true), (33, false)]) func aDigestHasTheLengthOfItsHash(
    count: Int, hasItsLength: Bool
  ) {
    let digest = ExpectedDigest(algorithm: .sha256, value: [UInt8](repeating: 7, count: count))
    #expect(digest.hasItsLength == hasItsLength)
  }
}
