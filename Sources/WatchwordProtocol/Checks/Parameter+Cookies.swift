internal import WatchwordCore
internal import WatchwordVocabulary

/// The parts of a cookie.
extension Parameter {
  func cookieName(maximumBytes: Int) throws(RPCError) -> String {
    let name = try string(maximumBytes: maximumBytes)
    guard FieldSyntax.isToken(name) else { throw fault("is not a cookie name") }
    return name
  }

  func cookieValue(maximumBytes: Int) throws(RPCError) -> String {
    let value = try string(maximumBytes: maximumBytes)
    guard Parameter.isCookiePart(value) else { throw fault("holds a semicolon or control character") }
    return value
  }

  func cookieDomain(maximumBytes: Int) throws(RPCError) -> String {
    guard let host = HostRules.normalized(try string(maximumBytes: maximumBytes)) else {
      throw fault("is not a domain")
    }
    return host
  }

  func cookiePath(maximumBytes: Int) throws(RPCError) -> String {
    let path = try string(maximumBytes: maximumBytes)
    guard path.utf8.first == UInt8(ascii: "/"), Parameter.isCookiePart(path) else {
      throw fault("is not a path")
    }
    return path
  }

  /// Whether it ends neither the value in a header field nor the field in a cookie file. By bytes: for
  /// `contains`, a semicolon under an accent is another character.
  private static func isCookiePart(_ text: String) -> Bool {
    HeaderRules.isValue(text)
      && !text.utf8.contains { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\t") }
  }
}
