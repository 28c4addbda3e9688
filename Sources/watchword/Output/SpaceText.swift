internal import WatchwordClient
internal import WatchwordJSON

/// Formats a protection space for a person: the origin first, then the server's own text.
enum SpaceText {
  /// `https://host:port`; a default port is omitted for people, but not in the daemon's form of an origin.
  static func origin(of space: JSONValue, showsPort: Bool = false) -> String {
    let scheme = space["protocol"]?.text ?? ""
    let host = space["host"]?.text ?? ""
    let port = space["port"]?.integer ?? 0
    let isDefault = (scheme, port) == ("https", 443) || (scheme, port) == ("http", 80)
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme)://\(bracketed)\(isDefault && !showsPort ? "" : ":\(port)")"
  }

  /// `https://host digest "realm"`, escaped.
  static func text(of space: JSONValue) -> String {
    let proxy = space["isProxy"]?.flag == true ? "proxy " : ""
    let method = DisplayText.escaped(space["authenticationMethod"]?.text ?? "")
    let realm = space["realm"]?.text.map { " \"\(DisplayText.escaped($0))\"" } ?? ""
    return "\(proxy)\(DisplayText.escaped(origin(of: space))) \(method)\(realm)"
  }
}
