/// What a person needs to let a source have a token: the page of the authorization server, and the code to
/// enter there (RFC 8628 §3.3).
package struct DevicePrompt: Sendable, Equatable {
  /// An `https` URL, or `http` on a loopback address.
  package let verificationURI: String
  package let userCode: String
  /// The same page with the code in it.
  package let completeURI: String?

  /// - Returns: nil when one of them cannot be shown to a person.
  package init?(verificationURI: String, userCode: String, completeURI: String? = nil) {
    guard Self.isPage(verificationURI), completeURI.map(Self.isPage) ?? true, Self.isCode(userCode) else {
      return nil
    }
    self.verificationURI = verificationURI
    self.userCode = userCode
    self.completeURI = completeURI
  }

  /// Longer ones cannot be typed, and fill a screen.
  private static let maximumPageBytes = 2048
  private static let maximumCodeBytes = 64

  /// Visible characters of ASCII: escape sequences of terminals and characters that look like others are
  /// none.
  private static func isCode(_ text: String) -> Bool {
    (1...maximumCodeBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.utf8.allSatisfy { $0 == 0x20 }
  }

  /// The characters of RFC 3986, without userinfo: what stands before `@` looks like the host.
  private static func isPage(_ text: String) -> Bool {
    guard text.utf8.count <= maximumPageBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !excluded.contains($0) })
    else { return false }
    for (start, isSecure) in [("https://", true), ("http://", false)] where text.utf8.starts(with: start.utf8)
    {
      let authority = text.utf8.dropFirst(start.utf8.count).prefix { !Array("/?#".utf8).contains($0) }
      guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return false }
      return isSecure || isLoopback(String(decoding: authority, as: UTF8.self))
    }
    return false
  }

  private static let excluded = Set("\"<>\\^`{|}".utf8)

  private static func isLoopback(_ authority: String) -> Bool {
    let host = ["127.0.0.1", "localhost", "[::1]"].first { authority.utf8.starts(with: $0.utf8) }
    guard let host else { return false }
    let rest = authority.utf8.dropFirst(host.utf8.count)
    return rest.isEmpty
      || (rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
  }
}
