internal import WatchwordSecret
internal import WatchwordVocabulary

extension SessionConfiguration {
  /// Bytes of its texts: a caller can make them as long as a message.
  package var byteCount: Int {
    var count = (tls.roots?.utf8.count ?? 0) + (tls.revocationLists?.utf8.count ?? 0)
    for field in headers { count += field.name.utf8.count + field.valueByteCount }
    for resolution in addresses.resolve {
      count += resolution.hostAndPort.utf8.count + resolution.address.utf8.count
    }
    for origin in addresses.allowOrigins ?? [] { count += origin.utf8.count }
    for origin in methods.negotiate.ambientOrigins { count += origin.utf8.count }
    count += proxies.byteCount
    for rule in tls.pins.rules { count += rule.host.text.utf8.count + rule.publicKeys.count * 32 }
    for form in forms {
      count += form.page.utf8.count + form.userField.utf8.count + form.passwordField.utf8.count
      count += (form.when.selector?.text.utf8.count ?? 0) + (form.success.selector?.text.utf8.count ?? 0)
    }
    return count + (netrc?.byteCount ?? 0)
  }
}

extension SessionConfiguration.Proxies {
  package var byteCount: Int {
    guard case .listed(let list) = self else { return 0 }
    let urls = [list.http, list.https, list.all].reduce(0) { $0 + ($1?.count ?? 0) }
    return list.except.reduce(urls) { $0 + $1.utf8.count }
  }
}
