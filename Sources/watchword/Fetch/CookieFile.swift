internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// The file of `-b FILE`: cookies in Netscape's format, as `-c`, curl and browsers write them.
enum CookieFile {
  /// Larger ones are no files of cookies.
  private static let largest = 4 << 20

  /// The cookies that have not expired; none of a file that does not exist, as with curl. What is no cookie
  /// is passed over.
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

/// The file of `-c`: the session's cookies in Netscape's format, as curl writes them.
enum CookieJar {
  /// Replaces the file in one step, so that no program reads half of it. Only the owner may read it: cookies
  /// log in. A device or a pipe is written to as it is, as with curl.
  static func write(_ cookies: [Sent.Cookie], to path: String) throws(Failure) {
    var text = "# Netscape HTTP Cookie File\n# Written by watchword fetch -c. Edit at your own risk.\n\n"
    for cookie in cookies { text += line(cookie) }
    guard path != "-" else { return StandardOutput.write(text) }
    let name = DisplayText.escaped(path)
    if NewFile.isDevice(path) {
      guard let device = Descriptor.opened(path, O_WRONLY),
        text.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: device.number) })
      else { throw Failure("\(name) cannot be written: \(Output.lastError)", exitCode: .outputFailed) }
      return
    }
    let temporary = "\(path).\(getpid()).tmp"
    guard let file = Descriptor.opened(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else {
      throw Failure("\(name) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
    guard text.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: file.number) }),
      rename(OctetText.cString(temporary), OctetText.cString(path)) == 0
    else {
      let reason = Output.lastError
      unlink(OctetText.cString(temporary))
      throw Failure("\(name) cannot be written: \(reason)", exitCode: .outputFailed)
    }
  }

  /// Domain, whether it includes subdomains, path, whether TLS is needed, expiry, name and value.
  private static func line(_ cookie: Sent.Cookie) -> String {
    let domain = cookie.domain
    let fields = [
      (cookie.httpOnly ? "#HttpOnly_" : "") + domain,
      domain.utf8.first == UInt8(ascii: ".") ? "TRUE" : "FALSE", cookie.path,
      cookie.secure ? "TRUE" : "FALSE",
      "\(cookie.expires.flatMap(seconds) ?? 0)", cookie.name,
      cookie.value,
    ]
    // The format has no way to write a tab; no cookie that a server set has one (RFC 6265bis §5.6).
    return fields.joined(separator: "\t") + "\n"
  }

  /// Since 1970, of a time such as `2026-11-21T12:05:00Z`.
  private static func seconds(_ time: String) -> Int? {
    let numbers = time.split(whereSeparator: { "-T:Z".contains($0) }).compactMap { Int32($0) }
    guard numbers.count == 6 else { return nil }
    var parts = tm()
    parts.tm_year = numbers[0] &- 1900
    parts.tm_mon = numbers[1] &- 1
    (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec) = (
      numbers[2], numbers[3], numbers[4], numbers[5]
    )
    return Int(timegm(&parts))
  }
}
