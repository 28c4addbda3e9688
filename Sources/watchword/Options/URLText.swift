internal import WatchwordVocabulary

/// The little that the command itself needs to know about URLs; the daemon parses them.
///
/// All of it works on bytes: to Swift, a `/` or `@` and a combining mark after it are one character, neither
/// `/` nor `@`.
enum URLText {
  /// A URL argument: gets `scheme` when it has none, as curl guesses, and must have no password.
  static func argument(
    _ text: String, scheme: String = "http", ofProxy isProxy: Bool = false
  ) throws(Failure) -> String {
    let text = encodingOctets(text)
    let url = Self.scheme(of: text) == nil ? "\(scheme)://\(text)" : text
    guard let info = userinfo(of: url), let colon = info.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return url
    }
    throw ReadableSecret.refusal(
      of: String(info[..<colon]), at: origin(of: settingUser(nil, of: url)), isProxy: isProxy)
  }

  /// An octet that is not UTF-8 as `%E9`: a server gets it as it was given. Texts are the daemon's to encode.
  private static func encodingOctets(_ text: String) -> String {
    if let plain = OctetText.plain(text) { return plain }
    return OctetText.octets(of: text).reduce(into: "") { url, octet in
      if octet < 0x80 { url.unicodeScalars.append(Unicode.Scalar(octet)) } else { url += encoded([octet]) }
    }
  }

  /// The text between `://` and the last `@` of the authority; nil without `@`.
  private static func userinfo(of url: String) -> Substring? {
    guard let authority = authority(of: url), let at = authority.utf8.lastIndex(of: at) else { return nil }
    return authority[..<at]
  }

  /// The user that a URL names, percent-decoded once as the daemon does; nil without one, and when it is no
  /// text.
  static func user(of url: String) -> String? {
    guard let user = userinfo(of: url), !user.isEmpty else { return nil }
    return String(validating: percentDecoded(user.utf8), as: UTF8.self)
  }

  /// Each `%` with two hexadecimal digits (RFC 3986 §2.1) as the byte that it stands for; others stay as they
  /// are.
  private static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(Hexadecimal.value(ofDigit:))
      guard byte == UInt8(ascii: "%"), digits.count == 2 else {
        decoded.append(byte)
        continue
      }
      decoded.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(2)
    }
    return decoded
  }

  /// The URL with this user in place of its own; nil removes it.
  static func settingUser(_ user: String?, of url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    let host =
      authority.utf8.lastIndex(of: at).map { authority[authority.utf8.index(after: $0)...] } ?? authority
    return url[..<authority.startIndex] + (user.map { encoded($0.utf8) + "@" } ?? "") + host
      + url[authority.endIndex...]
  }

  /// Scheme, host and port of a URL without a user.
  static func origin(of url: String) -> String {
    guard let authority = authority(of: url) else { return url }
    return String(url[..<authority.endIndex])
  }

  static func addingQuery(_ query: String, to url: String) -> String {
    let fragment = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    let base = url[..<fragment]
    return base + (base.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query + url[fragment...]
  }

  /// The URL of `name` in the folder that the URL names; unchanged if it names no folder.
  static func addingName(_ name: String, to url: String) -> String {
    guard let path = path(of: url) else { return url }
    guard path.isEmpty || path.utf8.last == slash else { return url }
    return url[..<path.endIndex] + (path.isEmpty ? "/" : "") + encoded(OctetText.octets(of: name))
      + url[path.endIndex...]
  }

  /// The absolute URL of a reference, such as the value of `Location` (RFC 3986 §5.2).
  static func resolving(_ reference: String, against base: String) -> String {
    if scheme(of: reference) != nil { return reference }
    guard let scheme = scheme(of: base), let authority = authority(of: base), let path = path(of: base) else {
      return reference
    }
    if reference.hasPrefix("//") { return "\(scheme):\(reference)" }
    let root = base[..<authority.endIndex]
    if reference.utf8.first == slash { return root + withoutDots(reference) }
    if reference.utf8.first.map(endsPath) ?? true {
      let end = reference.utf8.first == UInt8(ascii: "?") ? path.endIndex : endOfQuery(of: base)
      return base[..<end] + reference
    }
    let folder = path.utf8.lastIndex(of: slash).map { path[...$0] } ?? "/"
    return root + withoutDots(folder + reference)
  }

  private static func endOfQuery(of url: String) -> String.Index {
    url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
  }

  /// RFC 3986 §5.2.4, of a path with perhaps a query and a fragment.
  private static func withoutDots(_ text: String) -> String {
    let end = text.utf8.firstIndex(where: endsPath) ?? text.endIndex
    var segments: [Substring] = []
    let all = text[..<end].utf8.split(separator: slash, omittingEmptySubsequences: false).map(Substring.init)
    for (index, segment) in all.enumerated() {
      let isLast = index == all.count - 1
      if segment == ".." {
        if segments.count > 1 { segments.removeLast() }
        if isLast { segments.append("") }
      } else if segment == "." {
        if isLast { segments.append("") }
      } else {
        segments.append(segment)
      }
    }
    return segments.joined(separator: "/") + text[end...]
  }

  /// The last name of the path, for -O; nil when it ends in a slash or the name is special.
  static func lastName(of url: String) -> String? {
    let names = path(of: url)?.utf8.split(separator: slash, omittingEmptySubsequences: false)
    guard let name = names?.last.map({ String(Substring($0)) }), !name.isEmpty, name != ".", name != ".."
    else { return nil }
    return name
  }

  /// As curl encodes a form's value: a space is a plus (application/x-www-form-urlencoded).
  static func formEncoded(_ bytes: some Sequence<UInt8>) -> String {
    bytes.split(separator: 0x20, omittingEmptySubsequences: false).map { encoded($0) }.joined(separator: "+")
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

  private static let at = UInt8(ascii: "@")
  private static let slash = UInt8(ascii: "/")

  /// RFC 3986 §3.1. Text with a later `://` is a host whose path or query contains a URL.
  private static func scheme(of text: String) -> Substring? {
    let scheme = text.utf8.prefix { ASCIICase.isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    guard let first = scheme.first, ASCIICase.isLetter(first),
      text.utf8[scheme.endIndex...].starts(with: ":/".utf8)
    else { return nil }
    return Substring(scheme)
  }

  private static func authority(of url: String) -> Substring? {
    guard let scheme = scheme(of: url) else { return nil }
    let rest = url.utf8[scheme.endIndex...].dropFirst().drop { $0 == slash }
    return Substring(rest.prefix { $0 != slash && !endsPath($0) })
  }

  private static func path(of url: String) -> Substring? {
    authority(of: url).map { Substring(url.utf8[$0.endIndex...].prefix { !endsPath($0) }) }
  }

  private static func endsPath(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
