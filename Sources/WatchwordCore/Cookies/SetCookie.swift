internal import WatchwordVocabulary

/// One `Set-Cookie` field as the server sent it (RFC 6265bis §5.6), octet by octet: it must be returned
/// unchanged.
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

  /// `Max-Age`: an empty, negative or invalid number expires the cookie; one that is too large means no
  /// expiry.
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

/// Parses the date of an `Expires` attribute (RFC 6265bis §5.6.1): any text with a time, a day, a month and a
/// year.
enum CookieDate {
  /// Seconds since 1970; nil when it is no date.
  static func seconds(_ text: some Sequence<UInt8>) -> Int64? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.split(whereSeparator: isDelimiter) {
      if time == nil, let found = self.time(token) {
        time = found
      } else if day == nil, let found = number(token[...], digits: 1...2) {
        day = found
      } else if month == nil, let found = self.month(token) {
        month = found
      } else if year == nil, let found = number(token[...], digits: 2...4) {
        year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
      }
    }
    guard let time, let day, let month, let year, year >= 1601, (1...31).contains(day), time.hour <= 23,
      time.minute <= 59, time.second <= 59
    else { return nil }
    let days = daysSince1970(year, month, day)
    return Int64(days) * 86_400 + Int64(time.hour * 3600 + time.minute * 60 + time.second)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A number with this many digits; a following byte must not be a digit, and is ignored.
  private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let found = token.prefix(while: isDigit)
    guard digits.contains(found.count) else { return nil }
    return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
      let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
      let second = number(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  /// The month, from 1.
  private static func month(_ token: ArraySlice<UInt8>) -> Int? {
    guard token.count >= 3 else { return nil }
    let start = String(decoding: token.prefix(3), as: UTF8.self).asciiLowercased
    return months.firstIndex(of: start).map { $0 + 1 }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// In the Gregorian calendar; years begin in March here, so that a leap day is the last of its year.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
