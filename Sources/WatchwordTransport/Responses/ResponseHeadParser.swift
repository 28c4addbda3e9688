internal import WatchwordCore

/// Collects the lines that libcurl hands over into one ``ResponseHead``.
///
/// Interim responses (1xx) and trailers are dropped, folded lines are unfolded (RFC 9112 §5.2). What a server
/// sends here is bounded and never trusted: no line can make it trap.
struct ResponseHeadParser {
  enum Fault: Error {
    case tooLarge
    case malformed
  }

  /// A negotiate token is 64 KiB at most, and comes with little else.
  static let maximumBytes = 131_072
  /// More than any real response has; each costs the caller's JSON as well.
  static let maximumFields = 500

  private var status: Int?
  private var headers: [HeaderField] = []
  /// Of all heads and trailers of the exchange together: interim responses and trailers may not go on for ever.
  private var bytes = 0
  /// What was seen of the current field, until the next line shows that it is not folded.
  private var name = ""
  private var value: [UInt8] = []
  private var hasField = false

  /// One line with its line end. Returns the head with the empty line that ends a final response's.
  mutating func feed(_ line: UnsafeRawBufferPointer) throws(Fault) -> ResponseHead? {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { throw .tooLarge }
    let text = Self.trimmingLineEnd(line)
    // RFC 9112 §2.2: a bare CR ends the line for other readers than us.
    guard !text.contains(0x0D), !text.contains(0) else { throw .malformed }
    if text.starts(with: Self.statusPrefix) {
      try begin(text)
      return nil
    }
    // After the end of a head come trailers only.
    guard let status else { return nil }
    if text.isEmpty { return try finish(status) }
    if let first = text.first, first == 0x20 || first == 0x09 {
      guard hasField else { throw .malformed }
      value.append(0x20)
      value += Self.trimmingSpace(text)
    } else {
      endField()
      try beginField(text)
    }
    return nil
  }

  private mutating func begin(_ text: Slice<UnsafeRawBufferPointer>) throws(Fault) {
    guard let space = text.firstIndex(of: 0x20) else { throw .malformed }
    let digits = text[(space + 1)...].prefix(3)
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .malformed }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    // Nobody asked for another protocol.
    guard code >= 100, code != 101 else { throw .malformed }
    status = code
    headers.removeAll()
    headers.reserveCapacity(16)
    hasField = false
  }

  private mutating func finish(_ status: Int) throws(Fault) -> ResponseHead? {
    endField()
    self.status = nil
    guard status >= 200 else { return nil }
    let head = ResponseHead(status: status, headers: headers)
    guard ResponseFraming.isConsistent(head) else { throw .malformed }
    return head
  }

  private mutating func beginField(_ text: Slice<UnsafeRawBufferPointer>) throws(Fault) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
    guard headers.count < Self.maximumFields else { throw .tooLarge }
    name = Self.text(Self.trimmingSpace(text[..<colon]))
    guard !name.isEmpty else { throw .malformed }
    value.removeAll(keepingCapacity: true)
    value += Self.trimmingSpace(text[(colon + 1)...])
    hasField = true
  }

  private mutating func endField() {
    guard hasField else { return }
    headers.append(HeaderField(name, value.withUnsafeBytes { Self.text($0[...]) }))
    hasField = false
  }

  /// UTF-8 where it is, else every byte for itself (ISO 8859-1, RFC 9110 §5.5): nothing is lost or repaired.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let buffer = UnsafeRawBufferPointer(rebasing: bytes)
    if let text = String(validating: buffer, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(buffer.map { Unicode.Scalar($0) }))
  }

  private static let statusPrefix = Array("HTTP/".utf8)

  private static func trimmingLineEnd(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    var text = line[...]
    if text.last == 0x0A { text = text.dropLast() }
    if text.last == 0x0D { text = text.dropLast() }
    return text
  }

  private static func trimmingSpace(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var text = text
    while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return text
  }
}
