package import WatchwordJSON
internal import WatchwordVocabulary

/// How messages are separated on a connection; the first received byte decides, for both directions.
package enum Framing: Sendable, Equatable {
  /// One JSON value per line.
  case line
  /// `Content-Length: n`, an empty line, n bytes: the Language Server Protocol's base protocol.
  case contentLength

  /// What stands in front of a text of `count` bytes.
  package func header(_ count: Int) -> String {
    switch self {
    case .line: ""
    case .contentLength: "Content-Length: \(count)\r\n\r\n"
    }
  }

  /// What stands behind a text.
  package var trailer: String {
    switch self {
    case .line: "\n"
    case .contentLength: ""
    }
  }

  /// Puts the frame around `writer`'s text from `start` on.
  ///
  /// - Parameter elsewhere: bytes of the text that are not in `bytes`.
  package func close(_ bytes: inout WipedBytes, from start: Int, elsewhere: Int = 0) {
    bytes.insert(header(bytes.count - start + elsewhere).utf8, at: start)
    bytes.append(contentsOf: trailer.utf8)
  }
}

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
  mutating func readLine(_ line: UnsafeRawBufferPointer, messageLimit: Int) throws(FramingError) -> Length {
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

/// A violation of a connection's framing: later bytes cannot be separated, so the connection is closed.
package enum FramingError: Error, Sendable, Equatable {
  /// The first byte belongs to another protocol: an HTTP client or a browser must not be able to speak this
  /// one.
  case notJSONRPC(firstByte: UInt8)
  case messageTooLarge(limit: Int)
  case headerTooLarge(limit: Int)
  case missingContentLength
  case duplicateContentLength
  case malformedContentLength
  case malformedHeader

  /// The fault, for a person.
  package var text: String {
    switch self {
    case .notJSONRPC(let byte): "not a JSON-RPC connection: it begins with byte \(byte)"
    case .messageTooLarge(let limit): "message larger than \(limit) bytes"
    case .headerTooLarge(let limit): "message header larger than \(limit) bytes"
    case .missingContentLength: "message header without Content-Length"
    case .duplicateContentLength: "message header with more than one Content-Length"
    case .malformedContentLength: "Content-Length is not a number of bytes"
    case .malformedHeader: "message header line without a colon"
    }
  }
}
