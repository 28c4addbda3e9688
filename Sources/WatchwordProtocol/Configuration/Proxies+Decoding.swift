internal import WatchwordCore
internal import WatchwordJSON

extension Parameter {
  /// `proxies` of a session or a task: `environment`, `none`, or the proxies by their URLs.
  func proxies() throws(RPCError) -> SessionConfiguration.Proxies {
    if isWord("environment") { return .environment }
    if isWord("none") { return SessionConfiguration.Proxies.none }
    guard value.kind == .object else {
      throw fault("must be environment, none, or an object with http, https, all and except")
    }
    let given = try object(ProxiesMembers.init)
    let except = given.except ?? []
    for (index, text) in except.enumerated() where ProxyException(text) == nil {
      throw .invalidParams(
        "\(path).except[\(index)]", "must be a name, an address or a network, perhaps with a port, or *")
    }
    var list = SessionConfiguration.ProxyList()
    list.http = given.http
    list.https = given.https
    list.all = given.all
    list.except = except
    return .listed(list)
  }
}
