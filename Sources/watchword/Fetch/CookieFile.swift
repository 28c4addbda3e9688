internal import Glibc
internal import WatchwordMessages
internal import WatchwordPrimitives

/// The file of `-b FILE`: cookies in Netscape's format, as `-c`, curl and browsers write them.
enum CookieFile {
  /// Larger ones are no files of cookies.
  private static let largest = 4 << 20

  /// The cookies that have not expired; none of a file that does not exist, as with curl. What is no cookie is passed over.
  ///
  /// - Parameter keepsSessionCookies: whether those without an expiry count (`-j`).
  static func read(_ path: String, keepsSessionCookies: Bool) throws(Failure) -> [Request.CookieToSet] {
    guard path == "-" || access(OctetText.cString(path), F_OK) == 0 else { return [] }
    let octets = try InputFile.contents(of: path, largest: largest)
    let now = time(nil)
    return octets.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
      guard let text = String(validating: line, as: UTF8.self) else { return nil }
      return cookie(text, now: now, keepsSessionCookies: keepsSessionCookies)
    }
  }

  /// Domain, whether it includes subdomains, path, whether TLS is needed, expiry, name and value.
  private static func cookie(
    _ line: String, now: Int, keepsSessionCookies: Bool
  ) -> Request.CookieToSet? {
    let mark = "#HttpOnly_"
    let isHTTPOnly = line.utf8.starts(with: mark.utf8)
    let rest = isHTTPOnly ? Substring(line.utf8.dropFirst(mark.utf8.count)) : line[...]
    guard isHTTPOnly || line.utf8.first != UInt8(ascii: "#") else { return nil }
    let fields = rest.utf8.split(separator: 0x09, omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    guard fields.count == 7 || fields.count == 6, let expiry = Int(fields[4]) else { return nil }
    guard expiry == 0 ? keepsSessionCookies : expiry > now else { return nil }
    let host = String(Substring(fields[0].utf8.drop { $0 == UInt8(ascii: ".") }))
    let value = fields.count == 7 ? fields[6] : ""
    guard isName(fields[5]), isValue(value), isHost(host) else { return nil }
    let path = fields[2].utf8.first == UInt8(ascii: "/") && isValue(fields[2]) ? fields[2] : "/"
    return Request.CookieToSet(
      name: fields[5], value: value, domain: isTrue(fields[1]) ? ".\(host)" : host, path: path,
      expires: expiry == 0 ? nil : TimeText.standard(expiry), secure: isTrue(fields[3]),
      httpOnly: isHTTPOnly)
  }

  private static func isTrue(_ field: String) -> Bool { field.asciiLowercased == "true" }

  /// RFC 6265 §4.1.1: a token.
  private static func isName(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  private static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 4096
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") }
  }

  private static func isHost(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        ASCIICase.isLetter($0) || (0x30...0x39).contains($0) || ".-_:[]".utf8.contains($0)
      }
  }
}
