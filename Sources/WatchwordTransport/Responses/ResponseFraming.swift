internal import WatchwordCore

/// Whether a response says one thing about its length and its target.
///
/// Two readers of a contradiction (a proxy and we) see two different bodies: response splitting. libcurl takes
/// the last of several lengths, and a number with letters behind it.
enum ResponseFraming {
  static func isConsistent(_ head: ResponseHead) -> Bool {
    var length: Substring?
    var location: String?
    for field in head.headers {
      switch field.name.utf8.count {
      case 8 where field.isNamed("location"):
        guard location == nil || location == field.value else { return false }
        location = field.value
      case 14 where field.isNamed("content-length"):
        // RFC 9112 §6.3: a list of the same number is that number.
        for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
          let number = part.drop { $0 == " " }.prefix { $0 != " " && $0 != "\t" }
          guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
          let digits = number.drop { $0 == "0" }
          guard length == nil || length == digits else { return false }
          length = digits
        }
      default: break
      }
    }
    return true
  }
}
