internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVocabulary

extension TaskRequest.Proxies {
  /// The member `proxies` of a request.
  init(_ proxies: SessionConfiguration.Proxies?) throws(RPCError) {
    switch proxies {
    case nil: self = .ofSession
    case .environment: self = .ofEnvironment
    case .some(.none): self = .none
    case .listed(let list): self = .rules(try ProxyRules(list, .task, path: "params.proxies"))
    }
  }
}

extension ProxyRules {
  /// The proxies of a configuration or a request, through the transport's parser.
  init(_ list: SessionConfiguration.ProxyList, _ source: Source, path: String) throws(RPCError) {
    self.init(source)
    http = try Self.entry("http", list.http, path)
    https = try Self.entry("https", list.https, path)
    all = try Self.entry("all", list.all, path)
    exceptions = list.except.compactMap { ProxyException($0) }
  }

  private static func entry(_ name: String, _ url: Secret?, _ path: String) throws(RPCError) -> Setting? {
    guard let url else { return nil }
    do throws(URLFault) {
      return Setting(name: name, proxy: try ProxyURL.parse(url))
    } catch {
      throw .invalidParams("\(path).\(name)", ProxyURL.expectation)
    }
  }
}
