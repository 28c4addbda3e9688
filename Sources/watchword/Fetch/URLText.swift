/// The little that the command itself has to know of URLs; the daemon takes them apart.
enum URLText {
  /// With `http://` in front when there is no scheme, as curl guesses.
  static func completed(_ url: String) -> String { url.contains("://") ? url : "http://\(url)" }

  /// What stands between `://` and the last `@` of the authority; nil when there is no `@`.
  static func userinfo(of url: String) -> Substring? {
    guard let authority = authority(of: url), let at = authority.lastIndex(of: "@") else { return nil }
    return authority[..<at]
  }

  /// The URL with this user in place of its own; nil removes it.
  static func settingUser(_ user: String?, of url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return url[..<authority.startIndex] + (user.map { encoded($0[...]) + "@" } ?? "") + host
      + url[authority.endIndex...]
  }

  static func addingQuery(_ query: String, to url: String) -> String {
    let fragment = url.firstIndex(of: "#") ?? url.endIndex
    let base = url[..<fragment]
    return base + (base.contains("?") ? "&" : "?") + query + url[fragment...]
  }

  /// The last name of the path, for -O; nil when it ends in a slash or would be a name with a meaning.
  static func lastName(of url: String) -> String? {
    guard let authority = authority(of: url) else { return nil }
    let path = url[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty,
      name != ".", name != ".."
    else { return nil }
    return String(name)
  }

  /// Percent-encodes everything but RFC 3986's unreserved characters.
  static func encoded(_ text: Substring) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func authority(of url: String) -> Substring? {
    var index = url.startIndex
    while index < url.endIndex, !url[index...].hasPrefix("://") { index = url.index(after: index) }
    guard index < url.endIndex else { return nil }
    return url[url.index(index, offsetBy: 3)...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  }
}
