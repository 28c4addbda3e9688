internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// Parses the bytes of a head into a ``ResponseHead``.
///
/// Folded lines are unfolded (RFC 9112 §5.2). The server's bytes are never trusted: none can make it trap. It
/// makes one pass over one buffer, because every fetch pays for it.
struct ResponseHeadParser {
  enum HeadFault: Error {
    case tooLarge
    case malformed
  }

  /// Bytes of a head; a Negotiate token is at most 64 KiB, and the other fields are short.
  static let maximumBytes = 131_072
  /// More than any real response has; each costs the caller's JSON as well.
  static let maximumFields = 500

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Status line to empty line. Nil for an interim response (1xx).
  static func parse(_ bytes: UnsafeRawBufferPointer) throws(HeadFault) -> ResponseHead? {
    var parser = ResponseHeadParser(bytes)
    guard parser.firstIndex(of: 0, in: 0..<bytes.count) == nil else { throw .malformed }
    let (status, networkProtocol) = try parser.statusLine()
    guard status >= 200 else { return nil }
    return ResponseHead(status: status, headers: try parser.fields(), networkProtocol: networkProtocol)
  }

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private mutating func statusLine() throws(HeadFault) -> (status: Int, networkProtocol: String) {
    guard let line = try nextLine(), let space = firstIndex(of: 0x20, in: line) else { throw .malformed }
    let rest = space + 1..<line.upperBound
    guard rest.count >= 3, rest.count == 3 || bytes[rest.lowerBound + 3] == 0x20 else { throw .malformed }
    var code = 0
    for index in rest.prefix(3) {
      guard (0x30...0x39).contains(bytes[index]) else { throw .malformed }
      code = code * 10 + Int(bytes[index] - 0x30)
    }
    // No request asks for another protocol.
    guard code >= 100, code != 101 else { throw .malformed }
    return (code, networkProtocol(line.lowerBound..<space))
  }

  /// libcurl writes the version that it has understood: `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
  private func networkProtocol(_ version: Range<Int>) -> String {
    switch (version.count, bytes[version].last) {
    case (6, UInt8(ascii: "2")): "h2"
    case (8, UInt8(ascii: "0")): "http/1.0"
    default: "http/1.1"
    }
  }

  private mutating func fields() throws(HeadFault) -> [HeaderField] {
    var fields: [HeaderField] = []
    fields.reserveCapacity(16)
    var lines = 0
    while let line = try nextLine(), !line.isEmpty {
      lines += 1
      guard lines <= Self.maximumFields else { throw .tooLarge }
      if isSpace(bytes[line.lowerBound]) {
        guard let folded = fields.popLast() else { throw .malformed }
        let value = folded.octetString.octets + [0x20] + bytes[trimming(line)]
        fields.append(HeaderField(folded.name, octets: value))
        continue
      }
      guard let colon = firstIndex(of: UInt8(ascii: ":"), in: line) else { throw .malformed }
      let name = trimming(line.lowerBound..<colon)
      guard !name.isEmpty else { throw .malformed }
      fields.append(field(fieldName(name), trimming(colon + 1..<line.upperBound)))
    }
    return fields
  }

  /// The next line without its end.
  ///
  /// A CR inside it ends the line for other parsers (RFC 9112 §2.2): refused, as NUL is in the whole head.
  private mutating func nextLine() throws(HeadFault) -> Range<Int>? {
    guard position < bytes.count else { return nil }
    guard let end = firstIndex(of: 0x0A, in: position..<bytes.count) else { throw .malformed }
    var line = position..<end
    position = end + 1
    if !line.isEmpty, bytes[end - 1] == 0x0D { line = line.lowerBound..<end - 1 }
    guard firstIndex(of: 0x0D, in: line) == nil else { throw .malformed }
    return line
  }

  private func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
    guard let found = memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private func trimming(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func field(_ name: String, _ value: Range<Int>) -> HeaderField {
    let part = UnsafeRawBufferPointer(rebasing: bytes[value])
    return isASCII(part)
      ? HeaderField(name, String(decoding: part, as: UTF8.self)) : HeaderField(name, octets: part)
  }

  /// The names that nearly every response has, in the usual spelling, need no text made of bytes.
  private func fieldName(_ range: Range<Int>) -> String {
    let usual =
      switch range.count {
      case 4: "Date"
      case 6: "Server"
      case 7: "Expires"
      case 10: "Connection"
      case 12: "Content-Type"
      case 13: bytes[range.lowerBound] == UInt8(ascii: "A") ? "Accept-Ranges" : "Last-Modified"
      case 14: "Content-Length"
      default: nil as String?
      }
    guard var usual, usual.withUTF8({ isSame($0, range) }) else { return text(range) }
    return usual
  }

  private func isSame(_ name: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard let base = bytes.baseAddress, let start = name.baseAddress else { return false }
    return memcmp(base + range.lowerBound, start, range.count) == 0
  }

  /// UTF-8 if valid, else one character per byte (ISO 8859-1, RFC 9110 §5.5): nothing is lost or repaired.
  private func text(_ range: Range<Int>) -> String {
    let part = UnsafeRawBufferPointer(rebasing: bytes[range])
    if isASCII(part) { return String(decoding: part, as: UTF8.self) }
    if let text = String(validating: part, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(part.map { Unicode.Scalar($0) }))
  }

  private func isASCII(_ part: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    for byte in part { all |= byte }
    return all < 0x80
  }
}
