internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordSecret

extension ParameterReader {
  /// Entries of `except`.
  private static let maximumExceptions = 1024
  private static let maximumURLBytes = 16_384

  /// `proxies` of a session or a task: `environment`, `none`, or the proxies by their URLs; nil when it is absent.
  mutating func proxies(_ name: String) throws(RPCError) -> SessionConfiguration.Proxies? {
    switch member(name) {
    case nil: return nil
    case .string("environment"): return .environment
    case .string("none"): return SessionConfiguration.Proxies.none
    case .object:
      return .listed(try object(name) { reader throws(RPCError) in try reader.proxyList() })
    case .some:
      throw fault(name, "must be environment, none, or an object with http, https, all and except")
    }
  }

  private mutating func proxyList() throws(RPCError) -> SessionConfiguration.ProxyList {
    var list = SessionConfiguration.ProxyList()
    list.http = try optionalURL("http")
    list.https = try optionalURL("https")
    list.all = try optionalURL("all")
    list.except = try optionalStrings("except", maximum: ParameterReader.maximumExceptions) ?? []
    for (index, text) in list.except.enumerated() where ProxyException(text) == nil {
      throw .invalidParams(
        "\(path("except"))[\(index)]", "must be a name, an address or a network, perhaps with a port, or *")
    }
    return list
  }

  private mutating func optionalURL(_ name: String) throws(RPCError) -> Secret? {
    if member(name) == .null { return nil }
    return try optionalSecret(name, maximumBytes: ParameterReader.maximumURLBytes)
  }
}
