internal import WatchwordVocabulary

/// The argument of `--checksum`: `sha-256=HEX` as `sha256sum` prints it, or RFC 9530's `sha-256=:BASE64:`.
enum DigestArgument {
  private static let lengths = ["sha-256": 32, "sha-512": 64]

  /// The digest as the daemon takes it.
  static func parameter(_ argument: String) throws(Failure) -> String {
    let parts = argument.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let length = lengths[String(Substring(parts[0]))] else { throw fault }
    if parts[1].first == UInt8(ascii: ":") { return argument }
    guard let bytes = bytes(parts[1]), bytes.count == length else { throw fault }
    return "\(Substring(parts[0]))=:\(Base64.encode(bytes)):"
  }

  private static func bytes(_ digits: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Hexadecimal.value(ofDigit: digit) else { return nil }
      if let begun = high {
        bytes.append(begun << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  private static var fault: Failure {
    .usage("--checksum takes sha-256=HEX or sha-512=HEX", hint: "sha256sum FILE prints the digits")
  }
}
