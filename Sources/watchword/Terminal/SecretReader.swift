internal import Glibc
internal import WatchwordClient
internal import WatchwordSecret

/// Reads a secret from a descriptor: what an askpass program prints, or what `--password-fd` names.
enum SecretReader {
  /// As long as the protocol lets a password be; what comes after is not read.
  private static let longest = 64 << 10

  private static let newline = UInt8(ascii: "\n")

  /// As long as the protocol lets a PKCS#12 file be.
  private static let longestFile = 384 << 10

  /// A whole file that holds a key.
  static func all(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longestFile + 1) { bytes throws(Failure) in
      guard bytes.count <= longestFile else { throw Failure("\(DisplayText.escaped(name)) is too large") }
      return Secret(bytes)
    }
  }

  /// The bytes up to the first newline or the end; what comes after the newline is not waited for.
  static func line(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest, untilNewline: true) { bytes throws(Failure) in
      firstLine(bytes)
    }
  }

  /// The first line of all that a program prints: one that could not print the rest would fail.
  static func output(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest) { bytes throws(Failure) in firstLine(bytes) }
  }

  private static func firstLine(_ bytes: ArraySlice<UInt8>) -> Secret {
    let line = bytes.prefix { $0 != newline }
    return Secret(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }

  /// Hands over what was read, to the end, to a newline or as much as there is room for, and wipes it.
  private static func read(
    _ descriptor: Int32, named name: String, atMost room: Int, untilNewline: Bool = false,
    _ take: (ArraySlice<UInt8>) throws(Failure) -> Secret
  ) throws(Failure) -> Secret {
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: room)
    defer {
      bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    var count = 0
    while count < room {
      let received = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if received < 0, Readiness.mayTryAgain(descriptor, to: .read) { continue }
      guard received >= 0 else {
        throw Failure("\(DisplayText.escaped(name)) cannot be read: \(Output.lastError)")
      }
      if received == 0 { break }
      let isComplete = untilNewline && bytes[count..<count + received].contains(newline)
      count += received
      if isComplete { break }
    }
    return try take(bytes[..<count])
  }
}
