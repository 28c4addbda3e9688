internal import WatchwordCore
internal import WatchwordVocabulary

/// What a head says about its body and its target, and whether it says one thing only.
///
/// Two readers of a contradiction (a proxy and we) see two different bodies: response splitting. libcurl
/// takes the last of several lengths, and a number with letters behind it.
struct ResponseFraming {
  private(set) var setsCookies = false
  private(set) var hasTrailers = false
  /// The values of `Content-Encoding`, in their order.
  private(set) var codings: [String] = []
  private var length: Substring?
  private var location: String?

  /// Nil when the head contradicts itself.
  init?(_ head: ResponseHead) {
    // By index: a field that is compared by its length alone is not copied.
    let fields = head.headers
    for index in fields.indices {
      switch fields[index].name.utf8.count {
      case 7 where fields[index].isNamed("trailer"): hasTrailers = true
      case 8 where fields[index].isNamed("location"):
        guard location == nil || location == fields[index].value else { return nil }
        location = fields[index].value
      case 10 where fields[index].isNamed("set-cookie"): setsCookies = true
      case 14 where fields[index].isNamed("content-length"):
        guard addLength(fields[index].value) else { return nil }
      // A part of a coded body cannot be decoded.
      case 16 where fields[index].isNamed("content-encoding") && head.status != 206:
        codings.append(fields[index].value)
      case 17 where fields[index].isNamed("transfer-encoding"):
        guard Self.isPlainTransfer(fields[index].value) else { return nil }
      default: break
      }
    }
  }

  /// RFC 9112 §6.3: a list of the same number is that number.
  private mutating func addLength(_ value: String) -> Bool {
    if length == nil, value.utf8.allSatisfy(Self.isDigit), !value.isEmpty {
      length = value.drop { $0 == "0" }
      return true
    }
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let number = part.drop { $0 == " " }.prefix { $0 != " " && $0 != "\t" }
      guard !number.isEmpty, number.utf8.allSatisfy(Self.isDigit) else { return false }
      let digits = number.drop { $0 == "0" }
      guard length == nil || length == digits else { return false }
      length = digits
    }
    return true
  }

  /// No server was asked for a compressed transfer (`TE`, RFC 9110 §10.1.4), and libcurl would not notice its
  /// being cut.
  private static func isPlainTransfer(_ value: String) -> Bool {
    value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).allSatisfy {
      let name = $0.asciiLowercased
      return name == "chunked" || name == "identity"
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
