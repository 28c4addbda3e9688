/// How deep brackets open in a text, strings left aside: looked at before Jansson, which recurses, sees it.
enum NestingCheck {
  static func isDeeper(_ text: UnsafeRawBufferPointer, than limit: Int) -> Bool {
    guard text.count > limit else { return false }
    // Nearly every text has fewer brackets in all, strings included, than may be nested.
    var brackets = 0
    for byte in text { brackets &+= byte & 0xDF == UInt8(ascii: "[") ? 1 : 0 }
    return brackets > limit && depthExceeds(limit, in: text)
  }

  private static func depthExceeds(_ limit: Int, in text: UnsafeRawBufferPointer) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > limit { return true }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return false
  }
}
