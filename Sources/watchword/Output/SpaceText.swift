internal import WatchwordMessages
internal import WatchwordPrimitives

/// A protection space, whole or only by its name.
protocol ShownSpace {
  var `protocol`: String { get }
  var host: String { get }
  var port: Int { get }
  /// Nil: it has none, or the realm is not text.
  var realmText: String? { get }
  /// Of a key.
  var field: String? { get }
  var authenticationMethod: String { get }
  var isProxy: Bool { get }
}

extension Sent.ProtectionSpace: ShownSpace {
  var realmText: String? { realm }
  var field: String? { nil }
}

extension Sent.ProtectionSpaceName: ShownSpace {
  var realmText: String? { realm ?? nil }
}

/// Formats a protection space for a person: the origin first, then the server's own text.
enum SpaceText {
  /// `https://host:port`; a default port is omitted for people, but not in the daemon's form of an origin.
  static func origin(of space: some ShownSpace, showsPort: Bool = false) -> String {
    let (scheme, host, port) = (space.protocol, space.host, space.port)
    let isDefault = (scheme, port) == ("https", 443) || (scheme, port) == ("http", 80)
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme)://\(bracketed)\(isDefault && !showsPort ? "" : ":\(port)")"
  }

  /// `https://host digest "realm"` or `https://host key x-api-key`, escaped.
  static func text(of space: some ShownSpace) -> String {
    let proxy = space.isProxy ? "proxy " : ""
    let method = DisplayText.escaped(space.authenticationMethod)
    let realm = space.realmText.map { " \"\(DisplayText.escaped($0))\"" } ?? ""
    let field = space.field.map { " \(DisplayText.escaped($0))" } ?? ""
    return "\(proxy)\(DisplayText.escaped(origin(of: space))) \(method)\(realm)\(field)"
  }
}
