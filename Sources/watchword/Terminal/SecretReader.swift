internal import Glibc
internal import WatchwordClient
internal import WatchwordSecret

/// Reads a secret from a descriptor: what an askpass program prints, or what `--password-fd` names.
enum SecretReader {
  /// As long as the protocol lets a password be; what comes after is not read.
  private static let longest = 64 << 10

  /// As long as the protocol lets a PKCS#12 file be.
  private static let longestFile = 384 << 10

  /// A whole file that holds a key.
  static func all(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: longestFile + 1)
    defer {
      bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    let count = fill(&bytes, from: descriptor.number)
    guard count <= longestFile else { throw Failure("\(DisplayText.escaped(name)) is too large") }
    return Secret(bytes.prefix(count))
  }

  /// Reads to the end, or as much as there is room for.
  private static func fill(_ bytes: inout [UInt8], from descriptor: Int32) -> Int {
    var count = 0
    while count < bytes.count {
      let received = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if received < 0 && errno == EINTR { continue }
      guard received > 0 else { break }
      count += received
    }
    return count
  }

  /// The bytes up to the first newline or the end.
  static func line(from descriptor: consuming Descriptor) -> Secret {
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: longest)
    defer {
      bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    let count = fill(&bytes, from: descriptor.number)
    let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return Secret(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
