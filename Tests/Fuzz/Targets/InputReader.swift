/// Takes an input apart from its beginning; an end that comes early reads as zeros.
struct InputReader {
  private(set) var rest: UnsafeRawBufferPointer.SubSequence

  init(_ input: UnsafeRawBufferPointer) { rest = input[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number below `count`, which is not 0.
  mutating func choice(_ count: Int) -> Int {
    count > 256 ? (Int(byte()) << 8 | Int(byte())) % count : Int(byte()) % count
  }

  mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    defer { rest = rest.dropFirst(count) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }

  /// What is left, cut at every `separator`.
  func parts(separatedBy separator: UInt8) -> [UnsafeRawBufferPointer] {
    rest.split(separator: separator, omittingEmptySubsequences: false).map {
      UnsafeRawBufferPointer(rebasing: $0)
    }
  }

  /// What is left, a text for each line.
  var lines: [String] {
    parts(separatedBy: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
