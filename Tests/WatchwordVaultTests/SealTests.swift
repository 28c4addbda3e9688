import Testing
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct SealTests {
  private func seal() throws -> Seal { try #require(Seal.randomKey().flatMap { Seal($0) }) }

  @Test(arguments: [0, 1, 15, 16, 17, 4096]) func whatIsSealedOpens(count: Int) throws {
    let seal = try seal()
    let secret = Secret([UInt8](repeating: 7, count: count))
    let sealed = try #require(seal.seal(secret, for: [1, 2]))
    #expect(sealed.count == count + 29)
    #expect(seal.open(sealed, for: [1, 2]) == secret)
  }

  @Test func aNonceIsNotUsedTwice() throws {
    let seal = try seal()
    let secret = Secret("same".utf8)
    #expect(seal.seal(secret, for: []) != seal.seal(secret, for: []))
  }

  @Test func anotherKeyOrAssociatedDataOpensNothing() throws {
    let seal = try seal()
    let sealed = try #require(seal.seal(Secret("word".utf8), for: [1]))
    #expect(try self.seal().open(sealed, for: [1]) == nil)
    #expect(seal.open(sealed, for: []) == nil)
    #expect(seal.open(sealed, for: [1, 0]) == nil)
  }

  @Test func everyAlteredOctetIsNoticed() throws {
    let seal = try seal()
    let sealed = try #require(seal.seal(Secret("word".utf8), for: [1]))
    for index in sealed.indices {
      var altered = sealed
      altered[index] ^= 1
      #expect(seal.open(altered, for: [1]) == nil)
      #expect(seal.open(Array(sealed[..<index]), for: [1]) == nil)
    }
  }

  @Test func aKeyHas32Octets() {
    #expect(Seal(Secret([UInt8](repeating: 0, count: 31))) == nil)
    #expect(Seal(Secret([UInt8](repeating: 0, count: 33))) == nil)
  }

  @Test func aPassphraseGivesTheSameKeyAgain() throws {
    let derivation = try #require(PassphraseKey(costBits: PassphraseKey.credentialCostBits))
    let again = try #require(PassphraseKey(stored: derivation.stored))
    #expect(again == derivation)
    let key = try #require(derivation.key(from: Secret("open".utf8)))
    #expect(again.key(from: Secret("open".utf8)) == key)
    #expect(again.key(from: Secret("closed".utf8)) != key)
    #expect(
      try #require(PassphraseKey(costBits: PassphraseKey.credentialCostBits)).key(from: Secret("open".utf8))
        != key)
  }

  @Test func theParametersOfAFileAreBounded() throws {
    let salt = [UInt8](repeating: 1, count: 16)
    #expect(PassphraseKey(stored: [15] + salt) != nil)
    #expect(PassphraseKey(stored: [21] + salt) == nil)
    #expect(PassphraseKey(stored: [9] + salt) == nil)
    #expect(PassphraseKey(stored: salt) == nil)
    #expect(PassphraseKey(stored: []) == nil)
  }

  @Test func scryptIsThatOfTheRFC() throws {
    // By another implementation: Python's hashlib.scrypt(b"pleaseletmein", salt=b"SodiumChlorideXX", n=1024, r=8, p=1).
    let derivation = try #require(PassphraseKey(stored: [10] + Array("SodiumChlorideXX".utf8)))
    let key = try #require(derivation.key(from: Secret("pleaseletmein".utf8)))
    #expect(key == Secret(Self.expected))
  }

  private static let expected: [UInt8] = [
    0x4e, 0x1c, 0x4c, 0xdb, 0x22, 0xf1, 0x53, 0x2c, 0x34, 0x57, 0x3d, 0xe0, 0xb8, 0xb9, 0x7c, 0x7c, 0x73,
    0xe9, 0x1c, 0x9d, 0x5f, 0x4a, 0x59, 0xd1, 0xaf, 0x9f, 0xff, 0x96, 0xff, 0xce, 0xa6, 0x88,
  ]
}
