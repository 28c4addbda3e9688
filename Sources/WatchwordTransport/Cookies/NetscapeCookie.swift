internal import WatchwordCore

/// A cookie as one line of Netscape's cookie file, libcurl's form for reading and writing them.
enum NetscapeCookie {
  private static let httpOnlyPrefix = "#HttpOnly_"

  /// Domain without its leading dot; `includesSubdomains` says what the dot did.
  static func parse(_ line: String) -> Cookie? {
    let isHTTPOnly = line.hasPrefix(httpOnlyPrefix)
    let text = isHTTPOnly ? line.dropFirst(httpOnlyPrefix.count) : line[...]
    let parts = text.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
    guard parts.count >= 6, let expires = Int64(parts[4]) else { return nil }
    let domain = parts[0].hasPrefix(".") ? parts[0].dropFirst() : parts[0]
    return Cookie(
      name: String(parts[5]), value: parts.count > 6 ? String(parts[6]) : "", domain: String(domain),
      includesSubdomains: parts[1] == "TRUE", path: String(parts[2]), expires: expires == 0 ? nil : expires,
      isSecure: parts[3] == "TRUE", isHTTPOnly: isHTTPOnly)
  }

  /// Nil when a part could not be read back: a tab or line end would make another cookie of it.
  static func format(_ cookie: Cookie) -> String? {
    let texts = [cookie.name, cookie.value, cookie.domain, cookie.path]
    let isPlain = texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    guard isPlain, !cookie.name.isEmpty, !cookie.domain.isEmpty, cookie.path.hasPrefix("/"),
      !cookie.domain.hasPrefix("#")
    else { return nil }
    let domain = (cookie.includesSubdomains ? "." : "") + cookie.domain
    let parts = [
      domain, cookie.includesSubdomains ? "TRUE" : "FALSE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
      String(cookie.expires ?? 0), cookie.name, cookie.value,
    ]
    return (cookie.isHTTPOnly ? httpOnlyPrefix : "") + parts.joined(separator: "\t")
  }
}
