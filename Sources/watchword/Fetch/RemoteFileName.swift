internal import WatchwordPrimitives

/// The name that a server gives a file, in `Content-Disposition` (RFC 6266), for `-J`.
///
/// The server may choose no folder, and no name that a shell or a program reads without being told, such as `.profile`.
enum RemoteFileName {
  /// Longer ones have no place in a file system.
  private static let longest = 255

  /// Nil without a name that can be used.
  static func of(_ response: ResponseHead) -> String? {
    guard let field = response.last("content-disposition") else { return nil }
    var rest = field.utf8[...]
    while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == 0x20 || $0 == 0x09 }
      guard ASCIICase.matches(rest.prefix(9), "filename=".utf8) else { continue }
      return usable(value(rest.dropFirst(9)))
    }
    return nil
  }

  private static func value(_ rest: Substring.UTF8View) -> [UInt8] {
    guard rest.first == UInt8(ascii: "\"") else {
      return Array(rest.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
    }
    var value: [UInt8] = []
    var rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return value
  }

  private static func usable(_ name: [UInt8]) -> String? {
    let separators = "/\\".utf8
    let parts = name.split(omittingEmptySubsequences: false) { separators.contains($0) }
    guard let last = parts.last, let first = last.first, first != UInt8(ascii: "."), last.count <= longest,
      last.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return String(validating: last, as: UTF8.self)
  }
}
