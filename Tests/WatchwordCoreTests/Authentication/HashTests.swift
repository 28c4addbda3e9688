import Testing
import WatchwordCore

@Suite struct HashTests {
  /// RFC 1321 §A.5, FIPS 180-4's examples.
  static let known: [(HashAlgorithm, String, String)] = [
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha512256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test(arguments: known.indices)
  func knownAnswersHold(index: Int) throws {
    let (algorithm, text, expected) = Self.known[index]
    #expect(try hashed(algorithm, text).hexadecimal == expected)
    guard var hash = Hash(algorithm) else { throw DigestFault.hashUnavailable }
    hash.update("something else")
    _ = hash.finish()
    for byte in text.utf8 { hash.update([byte]) }
    #expect(hash.finish().hexadecimal == expected, "in pieces, with a hash begun again")
  }

  @Test(arguments: HashAlgorithm.allCases)
  func resultHasItsLength(algorithm: HashAlgorithm) throws {
    #expect(algorithm.isAvailable)
    let value = try hashed(algorithm)
    #expect(value.count == algorithm.byteCount)
    #expect(value.hexadecimal.utf8.count == 2 * algorithm.byteCount)
  }
}
