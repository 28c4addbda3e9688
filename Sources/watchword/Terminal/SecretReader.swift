internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives
internal import WatchwordSecret

/// Reads a secret from a descriptor: the output of an askpass program, or the descriptor of `--password-fd`.
enum SecretReader {
  /// The protocol's limit of a password; later bytes are not read.
  private static let longest = 64 << 10

  private static let newline = UInt8(ascii: "\n")

  /// The protocol's limit of a PKCS#12 file.
  private static let longestFile = 384 << 10

  /// Reads a whole file that contains a key.
  static func all(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longestFile + 1) { bytes throws(Failure) in
      guard bytes.count <= longestFile else { throw Failure("\(DisplayText.escaped(name)) is too large") }
      return Secret(bytes)
    }
  }

  /// The bytes up to the first newline or the end; it does not wait for bytes after the newline.
  static func line(
    from descriptor: consuming Descriptor, named name: String, takesOctets: Bool = false
  ) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest, untilNewline: true) { bytes throws(Failure) in
      try firstLine(bytes, of: name, takesOctets)
    }
  }

  /// The first line of a program's whole output: a program that cannot write the rest would fail.
  static func output(
    from descriptor: consuming Descriptor, named name: String, takesOctets: Bool = false
  ) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest) { bytes throws(Failure) in
      try firstLine(bytes, of: name, takesOctets)
    }
  }

  /// - Throws: when it is not UTF-8, and has to be: repaired, it would be another one.
  private static func firstLine(
    _ bytes: ArraySlice<UInt8>, of name: String, _ takesOctets: Bool
  ) throws(Failure) -> Secret {
    let line = bytes.prefix { $0 != newline }
    guard takesOctets || UTF8Text.fault(in: line) == nil else {
      throw Failure("\(DisplayText.escaped(name)) is not UTF-8")
    }
    return Secret(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }

  /// Passes on the bytes up to the end, to a newline or to the limit, and wipes them.
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
