/// Which paths a cookie's path covers (RFC 6265bis §5.1.4). As in libcurl, `/a/` covers `/a`, too.
enum CookiePath {
  static func covers(_ cookie: String, _ path: String) -> Bool {
    let cookie = withoutEnd(cookie)
    guard path.utf8.starts(with: cookie) else { return false }
    let rest = path.utf8.dropFirst(cookie.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  static func isSame(_ left: String, _ right: String) -> Bool {
    withoutEnd(left).elementsEqual(withoutEnd(right))
  }

  private static func withoutEnd(_ path: String) -> Substring.UTF8View {
    path.utf8.last == UInt8(ascii: "/") ? path.utf8.dropLast() : path.utf8[...]
  }
}
