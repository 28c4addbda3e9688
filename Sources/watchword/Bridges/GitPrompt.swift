internal import WatchwordPrimitives

/// A prompt of git's: `Username for 'https://host': ` or `Password for 'https://user@host': `.
struct GitPrompt {
  enum Wanted {
    case user
    case password
  }

  let wanted: Wanted
  /// The origin, as a URL.
  let url: String
  /// Without git's percent-encoding.
  let user: String?
  let path: String?

  /// Nil for any other prompt.
  init?(_ prompt: String) {
    if prompt.hasPrefix("Username for '") {
      wanted = .user
    } else if prompt.hasPrefix("Password for '") {
      wanted = .password
    } else {
      return nil
    }
    var rest = prompt.dropFirst("Username for '".count)
    guard rest.hasSuffix("': ") else { return nil }
    rest = rest.dropLast(3)
    let scheme = rest.prefix { $0 != ":" }
    guard ["http", "https"].contains(scheme), rest.dropFirst(scheme.count).hasPrefix("://") else {
      return nil
    }
    rest = rest.dropFirst(scheme.count + 3)
    let authority = rest.prefix { $0 != "/" }
    let tail = rest.dropFirst(authority.count)
    // git encodes an @ of the user.
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard let host = parts.last, parts.count <= 2, GitAttributes.isHost(host) else { return nil }
    if parts.count == 2 {
      guard let user = GitPrompt.decoded(parts[0]) else { return nil }
      self.user = user
    } else {
      user = nil
    }
    url = "\(scheme)://\(host)/"
    path = tail.utf8.count > 1 ? String(tail) : nil
  }

  /// Nil for what is encoded wrongly, or has a control character.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
        let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
