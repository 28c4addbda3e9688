internal import Glibc
internal import WatchwordClient
internal import WatchwordSecret

/// Reads a secret from a descriptor: what an askpass program prints, or what `--password-fd` names.
enum SecretReader {
  /// As long as the protocol lets a password be; what comes after is not read.
  private static let longest = 64 << 10

  /// The bytes up to the first newline or the end.
  static func line(from descriptor: consuming Descriptor) -> Secret {
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: longest)
    defer {
      bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    var count = 0
    while count < bytes.count {
      let received = bytes.withUnsafeMutableBytes {
        read(descriptor.number, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if received < 0 && errno == EINTR { continue }
      guard received > 0 else { break }
      count += received
    }
    let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return Secret(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
