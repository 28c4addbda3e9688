/// The little that the command itself has to know of URLs; the daemon takes them apart.
enum URLText {
  /// A URL as an argument: with `scheme` in front when it has none, as curl guesses, and without a password.
  static func argument(_ text: String, scheme: String = "http") throws(Failure) -> String {
    let url = Self.scheme(of: text) == nil ? "\(scheme)://\(text)" : text
    guard userinfo(of: url)?.contains(":") != true else {
      throw .usage(
        "a password in the URL is readable by every process",
        hint: "leave it out; you are asked for it, or give it once with watchword credentials set")
    }
    return url
  }

  /// What stands between `://` and the last `@` of the authority; nil when there is no `@`.
  private static func userinfo(of url: String) -> Substring? {
    guard let authority = authority(of: url), let at = authority.lastIndex(of: "@") else { return nil }
    return authority[..<at]
  }

  /// The URL with this user in place of its own; nil removes it.
  static func settingUser(_ user: String?, of url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return url[..<authority.startIndex] + (user.map { encoded($0.utf8) + "@" } ?? "") + host
      + url[authority.endIndex...]
  }

  static func addingQuery(_ query: String, to url: String) -> String {
    let fragment = url.firstIndex(of: "#") ?? url.endIndex
    let base = url[..<fragment]
    return base + (base.contains("?") ? "&" : "?") + query + url[fragment...]
  }

  /// The URL of `name` in the folder that it names; itself where it names no folder.
  static func addingName(_ name: String, to url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    let path = url[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    guard path.isEmpty || path.hasSuffix("/") else { return url }
    return url[..<path.endIndex] + (path.isEmpty ? "/" : "") + encoded(name.utf8) + url[path.endIndex...]
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
  static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var result = ""
    for byte in bytes {
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

  /// RFC 3986 §3.1. Text with `://` further on is a host whose path or query has a URL in it.
  private static func scheme(of text: String) -> Substring? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard scheme.first?.isLetter == true, text[scheme.endIndex...].hasPrefix(":/") else { return nil }
    return scheme
  }

  private static func authority(of url: String) -> Substring? {
    guard let scheme = Self.scheme(of: url) else { return nil }
    return url[scheme.endIndex...].dropFirst().drop { $0 == "/" }
      .prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  }
}
