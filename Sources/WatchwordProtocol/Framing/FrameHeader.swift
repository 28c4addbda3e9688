internal import WatchwordPrimitives

/// The header of a counted message, line by line: `Content-Length`, and fields that are ignored.
struct FrameHeader: Sendable {
  /// Names and values of one message; LSP needs some 60 bytes.
  static let maximumBytes = 4096

  enum Length {
    case unknown
    case known(Int)
  }

  private var length: Int?
  /// Bytes of the lines taken so far, with their line ends.
  private(set) var count = 0

  /// Takes one line without its `\n`; the empty line completes the length.
  mutating func take(_ line: UnsafeRawBufferPointer, messageLimit: Int) throws(FramingError) -> Length {
    count += line.count + 1
    guard count <= FrameHeader.maximumBytes else { throw .headerTooLarge(limit: FrameHeader.maximumBytes) }
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard !text.isEmpty else {
      guard let length else { throw .missingContentLength }
      guard length <= messageLimit else { throw .messageTooLarge(limit: messageLimit) }
      return .known(length)
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedHeader }
    guard FrameHeader.isContentLength(text[..<colon]) else { return .unknown }
    guard length == nil else { throw .duplicateContentLength }
    length = try FrameHeader.number(text[(colon + 1)...], upTo: messageLimit)
    return .unknown
  }

  private static func isContentLength(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    let expected: StaticString = "content-length"
    return expected.withUTF8Buffer { ASCIICase.matches(name, $0) }
  }

  /// Digits with blanks around them; a number above `limit` gives `limit + 1`, however many digits it has.
  private static func number(
    _ value: Slice<UnsafeRawBufferPointer>, upTo limit: Int
  ) throws(FramingError) -> Int {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var digits = value.drop(while: isBlank)
    while let last = digits.last, isBlank(last) { digits.removeLast() }
    guard !digits.isEmpty else { throw .malformedContentLength }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw .malformedContentLength }
      let (next, overflows) = number.multipliedReportingOverflow(by: 10)
      number = overflows ? limit + 1 : min(next + Int(digit - UInt8(ascii: "0")), limit + 1)
    }
    return number
  }
}
