internal import WatchwordSecret
internal import WatchwordVocabulary

/// What a change of a session's configuration concerns (messages.md 4.17 to 4.19).
package struct SessionConfigurationChange: Equatable {
  /// Whether another server may be reached, trusted or meant than before, or passwords go in cleartext that did not. What
  /// the session has was given for the servers of the previous settings; a caller could send it to a server of its own.
  package let leadsElsewhere: Bool
  /// Whether connections that are open were made under other settings than later ones.
  package let concernsConnections: Bool

  package init(from old: SessionConfiguration, to new: SessionConfiguration) {
    var tls = old.tls
    // Which of the two is spoken says nothing about who speaks it.
    tls.minimumVersion = new.tls.minimumVersion
    tls.maximumVersion = new.tls.maximumVersion
    leadsElsewhere =
      tls != new.tls || old.proxies != new.proxies || old.addresses != new.addresses
      || old.host != new.host || old.forms != new.forms
      || !old.methods.basicOverCleartext && new.methods.basicOverCleartext
    concernsConnections =
      leadsElsewhere || old.tls != new.tls || old.connectionsPerHost != new.connectionsPerHost
      || old.httpVersions != new.httpVersions || old.cookies != new.cookies
      || old.limits.decodedBodyBytes != new.limits.decodedBodyBytes
  }
}

extension SessionConfiguration {
  /// The virtual host that the session's fields name in place of the URL's.
  fileprivate var host: String? { headers.first("host") }

  /// Removes the passwords of these settings: they were given for the servers of other ones (messages.md 4.17).
  package mutating func dropPasswords(netrc isOfNetrc: Bool, proxies isOfProxies: Bool) {
    if isOfNetrc { netrc = nil }
    guard isOfProxies, case .listed(var list) = proxies else { return }
    for proxy in [\ProxyList.http, \ProxyList.https, \ProxyList.all] {
      list[keyPath: proxy] = list[keyPath: proxy].map { url in
        Secret(Array(ProxyList.textWithoutUserinfo(of: url).utf8))
      }
    }
    proxies = .listed(list)
  }
}
