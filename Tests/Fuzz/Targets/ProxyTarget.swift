internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The URL of a proxy, an origin's, and entries of `except`, a line each.
enum ProxyTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let lines = InputReader(input).lines
    let origin = (try? URLParser.parse(lines.dropFirst().first ?? ""))?.origin
    let exceptions = lines.dropFirst(2).compactMap { ProxyException($0) }
    for exception in exceptions {
      require(
        ProxyException(exception.text) == exception, "an exception that is another one when it is read again")
      if let origin, exception.text == "*" { require(exception.matches(origin), "* that does not match") }
    }
    for requiresScheme in [true, false] {
      guard let text = lines.first,
        let proxy = try? ProxyURL.parse(Secret(text.utf8), requiresScheme: requiresScheme)
      else { continue }
      check(proxy)
      guard let origin else { continue }
      var rules = ProxyRules(.session)
      rules.all = ProxyRules.Setting(name: "all", proxy: proxy)
      rules.exceptions = exceptions
      let isExcepted = exceptions.contains { $0.matches(origin) }
      require((rules.choice(for: origin)?.proxy == nil) == isExcepted, "an exception that is not followed")
    }
  }

  private static func check(_ proxy: Proxy) {
    require(proxy.url.path == "/" && proxy.url.query == nil, "a proxy with a path")
    require(proxy.origin.port != 0 && !proxy.origin.host.isEmpty, "a proxy without a place")
    require(!proxy.text.contains("@"), "a proxy's text with userinfo")
    require(
      (try? ProxyURL.parse(Secret(proxy.text.utf8))) == proxy,
      "a proxy that is another one when it is read again")
    guard let userinfo = proxy.url.userinfo else { return }
    require(userinfo.user.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a user")
  }
}
