import Testing
import WatchwordVocabulary

@Suite struct SecretTests {
  private static let counts = [0, 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097]

  private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }
  }

  @Test(arguments: counts) func secretsOfAnySizeKeepTheirBytesBesideEachOther(_ count: Int) {
    let secrets = (0..<20).map { Secret(Self.bytes(count, $0)) }
    for (seed, secret) in secrets.enumerated() {
      #expect(secret.count == count)
      #expect(secret.withBytes { Array($0) } == Self.bytes(count, seed))
    }
  }

  /// Memory that held another secret before shows nothing of it.
  @Test(arguments: counts) func aNewSecretBeginsWithZeros(_ count: Int) {
    for _ in 0..<3 {
      _ = (0..<20).map { Secret([UInt8](repeating: 0xAA, count: count + $0 % 2)) }
      for _ in 0..<20 {
        let secret = Secret(count: count) { _ in }
        #expect(secret.withBytes { Array($0) } == [UInt8](repeating: 0, count: count))
      }
    }
  }

  @Test func manyThreadsMakeAndReleaseSecrets() async {
    await withTaskGroup(of: Bool.self) { group in
      for seed in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { turn in
            let bytes = Self.bytes(turn % 300, seed &+ turn)
            return Secret(bytes).withBytes { Array($0) } == bytes
          }
        }
      }
      for await isWhole in group { #expect(isWhole) }
    }
  }

  @Test func aSecretNeverPrints() {
    let secret = Secret("hunter2".utf8)
    #expect("\(secret)" == "<secret>")
    #expect(String(reflecting: secret) == "<secret>")
    #expect("\([secret])" == "[<secret>]")
  }
}
