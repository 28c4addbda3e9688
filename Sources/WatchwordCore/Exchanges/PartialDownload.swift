package import WatchwordVocabulary

/// A file that holds the beginning of an entity, and the request for the rest of it.
///
/// The response's head alone decides what happens to the file: only the bytes that follow those in the file
/// may be appended. An error page is not appended, nor is a part of another version.
package struct PartialDownload: Sendable, Equatable {
  /// Bytes in the file.
  package let size: Int64
  /// The validator of the version in the file, for `If-Range`: an entity tag or a date.
  package let validator: String

  package init(size: Int64, validator: String) {
    self.size = size
    self.validator = validator
  }

  /// RFC 9110 §13.1.5: the rest if this is still the version, else all of it. Empty for an empty file.
  package var fields: [HeaderField] {
    size > 0 ? [HeaderField("Range", "bytes=\(size)-"), HeaderField("If-Range", validator)] : []
  }

  /// Nil for a part that is not the one that was asked for.
  package func continuation(_ head: ResponseHead) -> Continuation? {
    let ranges = head.headers.values(of: "content-range")
    let range = ranges.count == 1 ? ContentRange(ranges[0]) : nil
    switch head.status {
    case 200: return .restarted
    case 206: return range.map { isRest($0, head) } ?? false && isSameVersion(head) ? .continued : nil
    case 416 where size > 0 && range == .unsatisfied(length: size) && isSameVersion(head): return .complete
    default: return .discarded
    }
  }

  /// The length of the part of a 206 in bytes; nil when it has none.
  package func partLength(_ head: ResponseHead) -> Int64? {
    head.headers.first("content-range").flatMap(ContentRange.init)?.count
  }

  /// Whether the part is all that is missing, and the body is exactly that part: uncoded and of the same
  /// length.
  private func isRest(_ range: ContentRange, _ head: ResponseHead) -> Bool {
    guard size > 0, case .part(size, let last, let length) = range, length.map({ last == $0 - 1 }) ?? true
    else { return false }
    return head.headers.values(of: "content-encoding").allSatisfy { $0.asciiLowercased == "identity" }
      && head.headers.values(of: "content-length").allSatisfy { Int64($0) == range.count }
  }

  /// Whether a part, or the length (RFC 9110 §15.5.17), may be of the file's version: an origin that supports
  /// `Range` but not `If-Range` sends those of another version, and shows it by its tag.
  private func isSameVersion(_ head: ResponseHead) -> Bool {
    guard validator.hasPrefix("\""), let tag = head.headers.first("etag") else { return true }
    return tag == validator
  }
}

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
