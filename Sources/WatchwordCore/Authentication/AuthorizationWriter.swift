internal import WatchwordVocabulary

/// Builds an `Authorization` value inside memory that is wiped, so that no other copy of it exists.
///
/// The caller counts the bytes first and then writes; bytes that do not fit are dropped, never written
/// elsewhere.
struct AuthorizationWriter {
  private let target: UnsafeMutableRawBufferPointer
  private(set) var position = 0

  init(_ target: UnsafeMutableRawBufferPointer) { self.target = target }

  mutating func append(_ byte: UInt8) {
    guard position < target.count else { return }
    target[position] = byte
    position += 1
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= target.count - position else { return }
    UnsafeMutableRawBufferPointer(rebasing: target[position...]).copyMemory(from: bytes)
    position += bytes.count
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// The contents of a quoted string.
  mutating func append(quoting text: String) {
    QuotedString.write(text.utf8) { append($0) }
  }

  /// Lower-case hexadecimal digits, two for each byte.
  mutating func append(hexadecimal value: HashValue) {
    value.withBytes { bytes in
      for byte in bytes {
        append(Hexadecimal.digit(byte >> 4))
        append(Hexadecimal.digit(byte & 15))
      }
    }
  }
}

/// How a hop asks. The rules of authentication are the same for both; only the status and the fields differ
/// (RFC 9110 §11.7).
extension Hop {
  /// The status with which it refuses.
  var refusal: Int {
    switch self {
    case .origin: 401
    case .proxy: 407
    }
  }

  /// In lower case, as the one below.
  var challengeField: String {
    switch self {
    case .origin: "www-authenticate"
    case .proxy: "proxy-authenticate"
    }
  }

  var informationField: String {
    switch self {
    case .origin: "authentication-info"
    case .proxy: "proxy-authentication-info"
    }
  }
}
