internal import WatchwordPrimitives
internal import WatchwordSecret
internal import WatchwordVocabulary

extension SessionConfiguration {
  /// Bytes that it takes: a caller can make its texts as long as a message, or as many as one holds.
  package var heldBytes: Int {
    var count = (tls.roots?.utf8.count ?? 0) + (tls.revocationLists?.utf8.count ?? 0)
    for field in headers { count += field.heldBytes }
    for resolution in addresses.resolve {
      count += HeldBytes.text(resolution.hostAndPort) + HeldBytes.text(resolution.address)
    }
    // The list, and the set of what was read from it.
    for origin in addresses.allowOrigins ?? [] { count += 2 * HeldBytes.text(origin) }
    for origin in methods.negotiate.ambientOrigins { count += 2 * HeldBytes.text(origin) }
    count += proxies.heldBytes
    for rule in tls.pins.rules { count += HeldBytes.text(rule.host.text) + rule.publicKeys.count * 32 }
    for form in forms { count += form.heldBytes }
    return count + (netrc?.heldBytes ?? 0)
  }
}

extension SessionConfiguration.Form {
  /// Of the form, and of the rule that is made of it.
  fileprivate var heldBytes: Int {
    let texts = [page, userField, passwordField, when.selector?.text, success.selector?.text]
    return 2 * texts.reduce(0) { $0 + HeldBytes.text($1 ?? "") }
  }
}

extension SessionConfiguration.Proxies {
  package var heldBytes: Int {
    guard case .listed(let list) = self else { return 0 }
    let urls = [list.http, list.https, list.all].reduce(0) { $0 + ($1?.count ?? 0) }
    // The list, and the rules that are made of it.
    return list.except.reduce(urls) { $0 + 2 * HeldBytes.text($1) }
  }
}
