internal import WatchwordPrimitives

/// The value of `Content-Range` (RFC 9110 §14.4), of bytes.
enum ContentRange: Equatable {
  /// `bytes 0-4/10`, or `bytes 0-4/*`.
  case part(first: Int64, last: Int64, length: Int64?)
  /// `bytes */10`: no part of the requested range exists.
  case unsatisfied(length: Int64)

  /// nil if the value is malformed or contradicts itself.
  init?(_ text: String) {
    guard text.utf8.count > 6, text.prefix(6).asciiLowercased == "bytes " else { return nil }
    let sides = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let length = ContentRange.number(sides[1])
    if sides[0] == "*" {
      guard let length else { return nil }
      self = .unsatisfied(length: length)
      return
    }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard length != nil || sides[1] == "*", ends.count == 2, let first = ContentRange.number(ends[0]),
      let last = ContentRange.number(ends[1]), first <= last, last < length ?? .max
    else { return nil }
    self = .part(first: first, last: last, length: length)
  }

  /// The bytes of the part.
  var count: Int64? {
    switch self {
    case .part(let first, let last, _):
      let (count, isTooLarge) = (last - first).addingReportingOverflow(1)
      return isTooLarge ? nil : count
    case .unsatisfied: return nil
    }
  }

  /// Digits only: `Int64` alone would accept a sign.
  private static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }
}
