internal import WatchwordPrimitives

/// curl's `--proto` and `--proto-redir`: which of http and https a fetch may use.
struct URLSchemes {
  private static let all: Set<String> = ["http", "https"]

  private var first = all

  /// curl's lists: `=https`, `-all,https`, `+http`.
  mutating func allow(_ list: String) throws(Failure) {
    first = try Self.changed(first, by: list, "--proto")
  }

  /// A redirect from https to http is refused anyway, and one to https cannot be.
  func checkRedirects(_ list: String) throws(Failure) {
    guard try Self.changed(Self.all, by: list, "--proto-redir").contains("https") else {
      throw .usage("--proto-redir needs https", hint: "without -L no redirect is followed")
    }
  }

  /// As curl, whose exit code is the same.
  func check(_ url: String, followsRedirects: Bool) throws(Failure) {
    guard !followsRedirects || first.contains("https") else {
      throw .usage("--proto without https and -L exclude each other: a redirect to https is followed")
    }
    for scheme in Self.all where url.asciiLowercased.utf8.starts(with: "\(scheme):".utf8) {
      guard first.contains(scheme) else { throw Failure("--proto does not allow \(scheme)") }
    }
  }

  private static func changed(
    _ schemes: Set<String>, by list: String, _ option: String
  ) throws(Failure) -> Set<String> {
    var schemes = schemes
    for word in list.utf8.split(separator: UInt8(ascii: ",")) {
      let sign = word.first
      let isSigned = sign == UInt8(ascii: "=") || sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let name = String(Substring(isSigned ? word.dropFirst() : word)).asciiLowercased
      let named: Set<String> = name == "all" ? all : all.intersection([name])
      switch sign {
      case UInt8(ascii: "="): schemes = named
      case UInt8(ascii: "-"): schemes.subtract(named)
      default: schemes.formUnion(named)
      }
    }
    guard !schemes.isEmpty else {
      throw .usage("\(option) leaves neither http nor https", hint: "there is no other protocol")
    }
    return schemes
  }
}
