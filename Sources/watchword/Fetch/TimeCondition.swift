internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// curl's `-z`: the body only if the server's copy is newer than a time, or with `-` before it, older.
struct TimeCondition {
  /// Since 1970.
  private let seconds: Int
  private let wantsOlder: Bool

  /// - Parameter text: a time, or the name of a file whose time is meant, as `OctetText`.
  /// - Returns: nil when it is neither: there is no condition, as with curl.
  init?(_ text: String) throws(Failure) {
    let sign = text.utf8.first
    guard sign != UInt8(ascii: "=") else {
      throw .usage("-z has no =TIME", hint: "-H \"Last-Modified: TIME\" sends that field")
    }
    wantsOlder = sign == UInt8(ascii: "-")
    let rest = wantsOlder || sign == UInt8(ascii: "+") ? String(Substring(text.utf8.dropFirst())) : text
    var status = stat()
    if let time = TimeText.seconds(of: rest) {
      seconds = time
    } else if stat(OctetText.cString(rest), &status) == 0 {
      seconds = status.st_mtim.tv_sec
    } else {
      return nil
    }
  }

  /// RFC 9110 §13.1.3, §13.1.4.
  var field: (name: String, value: String) {
    (wantsOlder ? "If-Unmodified-Since" : "If-Modified-Since", TimeText.http(seconds))
  }

  /// Whether a server that ignores the condition has sent what is not wanted.
  func isUnmet(by response: HeadText) -> Bool {
    guard let changed = response.modified else { return false }
    return wantsOlder ? changed > seconds : changed <= seconds
  }
}

/// Times as servers and people write them, in UTC.
enum TimeText {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let otherWords: Set<String> = [
    "gmt", "utc", "z", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday",
  ]

  /// Since 1970, of a date as `Sun, 06 Nov 1994 08:49:37 GMT`, `Nov 6 1994`, `1994-11-06T08:49:37Z` or
  /// `19941106`; nil when it is written otherwise.
  static func seconds(of text: String) -> Int? {
    guard text.utf8.count <= 64 else { return nil }
    var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
    var clock = [0, 0, 0]
    let words = text.asciiLowercased.utf8.split { $0 == 0x20 || $0 == UInt8(ascii: ",") }
    for word in words.flatMap({ pieces(of: String(Substring($0))) }) {
      let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map(number)
      if let index = months.firstIndex(of: word) {
        guard month == nil else { return nil }
        month = index + 1
      } else if numbers.count == 2 || numbers.count == 3 {
        let known = numbers.compactMap { $0 }
        guard known.count == numbers.count else { return nil }
        clock = known + [0, 0, 0].dropFirst(known.count)
      } else if let value = number(word[...]) {
        switch word.utf8.count {
        case 8: (year, month, day) = (value / 10_000, value / 100 % 100, value % 100)
        case 4: year = value
        case 1, 2:
          // A month in digits comes after its year, a day after its month; the year of RFC 850 comes last.
          if year != nil, month == nil {
            month = value
          } else if day == nil {
            day = value
          } else if year == nil {
            year = value + (value < 70 ? 2000 : 1900)
          } else {
            return nil
          }
        default: return nil
        }
      } else if !otherWords.contains(word) {
        return nil
      }
    }
    guard let day, let month, let year, (1...31).contains(day), (1...12).contains(month),
      (1970...9999).contains(year), clock[0] < 24, clock[1] < 60, clock[2] <= 60
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(clock[0]), Int32(clock[1]), Int32(clock[2]))
    return timegm(&parts)
  }

  /// `06-nov-94` and `1994-11-06t08:49:37z` are several words.
  private static func pieces(of word: String) -> [String] {
    guard let first = word.utf8.first, (0x30...0x39).contains(first) else { return [word] }
    return word.utf8.split(separator: UInt8(ascii: "-")).flatMap { piece in
      // The t of oct divides nothing.
      (0x30...0x39).contains(piece.first ?? 0)
        ? piece.split { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") } : [piece]
    }.map { String(Substring($0)) }
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// RFC 9110 §5.6.7.
  static func http(_ seconds: Int) -> String { text(seconds, "%a, %d %b %Y %H:%M:%S GMT") }

  /// RFC 3339.
  static func standard(_ seconds: Int) -> String { text(seconds, "%Y-%m-%dT%H:%M:%SZ") }

  private static func text(_ seconds: Int, _ format: String) -> String {
    // The year 9999 is the last one with four digits.
    var time = time_t(max(0, min(seconds, 253_402_300_799)))
    var parts = tm()
    gmtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
