internal import CDigest
internal import WatchwordPrimitives

/// The result of a hash, stored inline without allocation.
package struct HashValue: Sendable {
  private var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  package private(set) var count = 0

  mutating func finish(_ state: OpaquePointer) {
    count = withUnsafeMutableBytes(of: &storage) { target in
      target.bindMemory(to: UInt8.self).baseAddress.map { watchword_hash_finish(state, $0) } ?? 0
    }
  }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }

  /// Writes the result into `target` as lower-case hexadecimal digits, two for each byte.
  package func writeHexadecimal(to target: UnsafeMutableRawBufferPointer) {
    withBytes { Hexadecimal.encode($0, into: target) }
  }

  package var hexadecimal: String { withBytes { Hexadecimal.text($0) } }
}
