internal import Glibc
internal import WatchwordCore
internal import WatchwordSecret
internal import WatchwordVocabulary

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
