/// A file that holds the beginning of an entity, and the request for the rest of it.
///
/// What a response means for the file is decided by its head alone: only bytes that belong behind those that are
/// there may follow them. An error's page does not, and neither does a part of another version.
package struct PartialDownload: Sendable, Equatable {
  /// What became of the file.
  package enum Continuation: String, Sendable, Equatable {
    /// The body is the rest, and goes behind what is there.
    case continued
    /// The body is the whole entity, and takes the place of what was there.
    case restarted
    /// The file holds the whole entity already.
    case complete
    /// The body has nothing to do with the file, which stays as it is.
    case discarded
  }

  /// Bytes that are there.
  package let size: Int64
  /// The validator of the version that they are from, as `If-Range` takes it: an entity tag or a date.
  package let validator: String

  package init(size: Int64, validator: String) {
    self.size = size
    self.validator = validator
  }

  /// RFC 9110 §13.1.5: the rest if this is still the version, else all of it. Nothing of the kind for an empty file.
  package var fields: [HeaderField] {
    size > 0 ? [HeaderField("Range", "bytes=\(size)-"), HeaderField("If-Range", validator)] : []
  }

  package func continuation(_ head: ResponseHead) -> Continuation {
    let ranges = head.headers.values(of: "content-range")
    guard ranges.count <= 1 else { return .discarded }
    let range = ranges.first.flatMap(ContentRange.init)
    switch head.status {
    case 200: return .restarted
    case 206 where size > 0 && range?.first == size && isSameVersion(head): return .continued
    case 416 where size > 0 && range == .unsatisfied(length: size) && isSameVersion(head): return .complete
    default: return .discarded
    }
  }

  /// Whether a part, or the length (RFC 9110 §15.5.17), may be of the version that is there: an origin that heeds `Range`
  /// but not `If-Range` sends those of another, and says so by its tag.
  private func isSameVersion(_ head: ResponseHead) -> Bool {
    guard validator.hasPrefix("\""), let tag = head.headers.first("etag") else { return true }
    return tag == validator
  }
}

/// The value of `Content-Range` (RFC 9110 §14.4), of bytes.
enum ContentRange: Equatable {
  /// `bytes 0-4/10`, or `bytes 0-4/*`.
  case part(first: Int64, last: Int64, length: Int64?)
  /// `bytes */10`: no part of what was asked for is there.
  case unsatisfied(length: Int64)

  /// nil for everything that is no such value or contradicts itself.
  init?(_ text: String) {
    guard text.utf8.count > 6, text.prefix(6).lowercased() == "bytes " else { return nil }
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

  var first: Int64? {
    switch self {
    case .part(let first, _, _): first
    case .unsatisfied: nil
    }
  }

  /// Digits only: `Int64` alone would take a sign.
  private static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }
}
