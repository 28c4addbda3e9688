internal import WatchwordPrimitives
package import WatchwordVocabulary

/// The header fields that a restricted connection may neither set nor see.
package enum RestrictedFields {
  /// The session sets the user of a request, and a rule must not be met by a request whose fields name another host,
  /// path or method. These are the fields that widespread servers, proxies and frameworks read for it.
  private static let refused: Set<String> = [
    "host", "forwarded", "x-http-method", "x-http-method-override", "x-method-override", "x-original-host",
    "x-original-method", "x-original-uri", "x-original-url", "x-rewrite-url",
  ]

  /// What a server gives back as, or about, a credential.
  private static let hidden: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info",
  ]

  package static func mayBeSet(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return !refused.contains(name) && !name.hasPrefix("x-forwarded-") && !SensitiveFields.contains(name)
  }

  /// The fields of a response as a restricted connection sees them.
  package static func shown(_ fields: [HeaderField]) -> [HeaderField] {
    fields.filter { !hidden.contains($0.name.asciiLowercased) }
  }
}
