internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// The only spelling of a host: lower case, an address in its canonical form, no brackets.
enum URLHost {
  /// `host` as libcurl's parser returns it: IDNA-encoded, an IPv6 address in brackets.
  static func normalize(_ host: String) throws(URLFault) -> String {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), let address = canonicalIPv6(String(host.dropFirst().dropLast())) else {
        throw .badHost
      }
      return address
    }
    let name = host.asciiLowercased
    guard name.utf8.count <= maximumLength else { throw .badHost }
    var labelLength = 0
    var isNumber = true
    // One final dot is the root of the DNS.
    for byte in name.utf8.last == dot && name != "." ? name.utf8.dropLast() : name.utf8[...] {
      if byte == dot {
        guard labelLength > 0 else { throw .badHost }
        labelLength = 0
        isNumber = true
      } else {
        labelLength += 1
        guard isAllowed(byte), labelLength <= maximumLabelLength else { throw .badHost }
        isNumber = isNumber && (0x30...0x39).contains(byte)
      }
    }
    guard labelLength > 0 else { throw .badHost }
    // `1.2.3.256` is no name: resolvers would read it as an address, each in its own way.
    if isNumber {
      var address = in_addr()
      guard inet_pton(AF_INET, name, &address) == 1 else { throw .badHost }
    }
    return name
  }

  /// Whether a host without brackets is an address rather than a name.
  static func isAddress(_ host: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  /// RFC 1035 §2.3.4.
  private static let maximumLength = 253
  private static let maximumLabelLength = 63

  private static let dot = UInt8(ascii: ".")

  /// Letters, digits, hyphen, and the underscore that some intranets use.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func canonicalIPv6(_ text: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// `user:password` of a URL, percent-decoded once.
enum URLUserinfo {
  /// Control characters are refused after decoding: `%0d%0a` in a user name ended a line of git's credential
  /// protocol (CVE-2020-5260).
  static func parse(_ text: ArraySlice<UInt8>) throws(URLFault) -> RequestURL.Userinfo {
    let colon = text.firstIndex(of: UInt8(ascii: ":"))
    guard let user = URLEncoding.decode(text[..<(colon ?? text.endIndex)]) else { throw .badUserinfo }
    guard !hasControlCharacter(user) else { throw .controlCharacter }
    guard let name = String(validating: user, as: UTF8.self) else { throw .badUserinfo }
    guard let colon else { return RequestURL.Userinfo(user: name, password: nil) }
    guard var password = URLEncoding.decode(text[(colon + 1)...]) else { throw .badUserinfo }
    defer {
      password.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
      }
    }
    guard !hasControlCharacter(password) else { throw .controlCharacter }
    return RequestURL.Userinfo(user: name, password: Secret(password))
  }

  private static func hasControlCharacter(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 || $0 == 0x7F }
  }
}
