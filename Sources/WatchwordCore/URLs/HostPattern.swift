/// The hosts that a rule applies to: one name or address, all names below one, or every host.
package struct HostPattern: Sendable, Equatable {
  /// Lowercased, without a trailing dot.
  package let name: String
  package let includesSubdomains: Bool
  package let includesItself: Bool

  package init(_ name: String, includesSubdomains: Bool = false, includesItself: Bool = true) {
    self.name = HostPattern.withoutDot(name)
    self.includesSubdomains = includesSubdomains
    self.includesItself = includesItself
  }

  /// `*`.
  package static let everyHost = HostPattern("*")

  /// `a.example` is that host; `*.a.example` is every name below it, at any depth, but not the name itself.
  package init(text: String) {
    let isBelow = text.hasPrefix("*.")
    self.init(
      isBelow ? String(text.dropFirst(2)) : text, includesSubdomains: isBelow, includesItself: !isBelow)
  }

  package var text: String { includesItself ? name : "*." + name }

  /// - Parameter host: as in an ``Origin``; `a.example.` is the same host as `a.example`.
  package func matches(_ host: String) -> Bool {
    if self == .everyHost { return true }
    let host = HostPattern.withoutDot(host)
    return (includesItself && host == name) || (includesSubdomains && host.hasSuffix("." + name))
  }

  private static func withoutDot(_ name: String) -> String {
    name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}
