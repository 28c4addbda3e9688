internal import Glibc

/// Reads and writes whole files.
enum FileBytes {
  /// The number of bytes read, at most as many as fit; nil, with `errno`, when the file cannot be read.
  static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int? {
    var count = 0
    while count < bytes.count {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        SystemCall.uninterrupted {
          Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        }
      }
      guard taken >= 0 else { return nil }
      if taken == 0 { break }
      count += taken
    }
    return count
  }

  /// Whether all were written; `errno` gives the reason if not.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        SystemCall.uninterrupted {
          Glibc.write(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        }
      }
      guard written > 0 else { return false }
      count += written
    }
    return true
  }
}
