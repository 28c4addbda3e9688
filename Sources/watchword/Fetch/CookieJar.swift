internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives

/// The file of `-c`: the session's cookies in Netscape's format, as curl writes them.
enum CookieJar {
  /// Replaces the file in one step, so that no program reads half of it. Only the owner may read it: cookies log in. A
  /// device or a pipe is written to as it is, as with curl.
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
