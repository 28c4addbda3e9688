internal import WatchwordPrimitives

/// One `Set-Cookie` field as the server sent it (RFC 6265bis §5.6), octet by octet: it must be returned unchanged.
struct SetCookie: Equatable {
  var name: [UInt8] = []
  var value: [UInt8] = []
  /// In lower case, without a leading dot; nil when there is none.
  var domain: String?
  /// Nil when there is none, or it does not begin with `/`.
  var path: String?
  /// Seconds since 1970; nil for a session cookie.
  var expires: Int64?
  var isSecure = false
  var isHTTPOnly = false

  /// Nil when it is no cookie, or too long. As in libcurl, a cookie has a name, and no control character.
  ///
  /// - Parameter now: seconds since 1970, which `Max-Age` counts from.
  init?(_ field: UnsafeRawBufferPointer, now: Int64) {
    guard field.count <= CookieLimits.setCookieBytes else { return nil }
    var parts = field.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    guard let pair = parts.popFirst(), let (name, value) = SetCookie.pair(pair), let value, !name.isEmpty,
      name.count + value.count <= CookieLimits.pairBytes, name.allSatisfy(SetCookie.isPlain),
      value.allSatisfy(SetCookie.isPlain)
    else { return nil }
    self.name = name
    self.value = value
    var maximumAge: [UInt8]?
    var date: [UInt8]?
    // The last of several attributes counts.
    for part in parts {
      guard let (name, value) = SetCookie.pair(part) else { continue }
      switch String(decoding: name, as: UTF8.self).asciiLowercased {
      case "secure": isSecure = true
      case "httponly": isHTTPOnly = true
      case "path": path = SetCookie.path(value ?? [])
      case "domain": if let value, !value.isEmpty { domain = SetCookie.domain(value) }
      case "max-age": maximumAge = value
      case "expires": date = value
      default: break
      }
    }
    if let maximumAge {
      expires = SetCookie.expiry(maximumAge, now)
    } else if let date {
      expires = CookieDate.seconds(date)
    }
  }

  /// `name=value` or a word, without surrounding white space; nil when empty.
  private static func pair(_ part: some Collection<UInt8>) -> (name: [UInt8], value: [UInt8]?)? {
    let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = halves.first.map({ trimmed($0) }) else { return nil }
    return (name, halves.count > 1 ? trimmed(halves[1]) : nil)
  }

  private static func trimmed(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let start = bytes.drop(while: isSpace)
    return start.reversed().drop(while: isSpace).reversed()
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Servers refuse requests with control characters, and a tab would be another cookie in a cookie file.
  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }

  private static func path(_ value: [UInt8]) -> String? {
    // Some servers quote it.
    var value = value[...]
    if value.first == UInt8(ascii: "\"") { value = value.dropFirst() }
    if value.last == UInt8(ascii: "\"") { value = value.dropLast() }
    guard value.first == UInt8(ascii: "/"), value.allSatisfy(isPlain) else { return nil }
    return String(decoding: value, as: UTF8.self)
  }

  private static func domain(_ value: [UInt8]) -> String {
    let name = value.first == UInt8(ascii: ".") ? value.dropFirst() : value[...]
    return String(decoding: name, as: UTF8.self).asciiLowercased
  }

  /// `Max-Age`: an empty, negative or invalid number expires the cookie; one that is too large means no expiry.
  private static func expiry(_ value: [UInt8], _ now: Int64) -> Int64 {
    var digits = value[...]
    if digits.first == UInt8(ascii: "\"") { digits = digits.dropFirst() }
    if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    digits = digits.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return expired }
    var seconds: Int64 = 0
    for digit in digits {
      let (tens, isTooLarge) = seconds.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeStill) = tens.addingReportingOverflow(Int64(digit - 0x30))
      guard !isTooLarge, !isTooLargeStill else { return .max }
      seconds = sum
    }
    guard seconds > 0 else { return expired }
    let (moment, isTooLate) = now.addingReportingOverflow(seconds)
    return isTooLate ? .max : moment
  }

  /// A time long ago.
  private static let expired: Int64 = 1
}
