/// Points in time on the wire: RFC 3339 in UTC, whole seconds, such as `2026-11-21T12:05:00Z`.
package enum Timestamp {
  /// Seconds since 1970 as text, from the year 0, where a certificate may begin, to the end of 9999.
  package static func text(_ seconds: Double) -> String {
    let total = Int64(max(-62_167_219_200, min(seconds.rounded(.down), 253_402_300_799)))
    let days = quotient(total, 86_400)
    let rest = total - days * 86_400
    let (year, month, day) = date(days)
    return
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }

  /// The time in `text`, or nil; offsets other than `Z` are refused, and days that a month lacks.
  package static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, [4, 7, 10, 13, 16, 19].map({ bytes[$0] }) == Array("--T::Z".utf8),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), year >= 1970, hour <= 23, minute <= 59, second <= 60
    else { return nil }
    let days = days(year, month, day)
    guard date(days) == (year, month, day) else { return nil }
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
  }

  /// Digits only: `Int64` would accept a sign.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  // Civil dates by counting eras of 400 years from the 1st of March of the year 0.

  private static func date(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = quotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Rounded down, where `/` rounds towards zero.
  private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    (number - (number < 0 ? divisor - 1 : 0)) / divisor
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
