package import WatchwordVocabulary

/// The header fields that a restricted connection may neither set nor see.
package enum RestrictedFields {
  /// What a request asks for and says of its body, which is the caller's own matter. Every other field is for
  /// some server the user, the host, the path or the method of a request, or says who sends it: a rule has to
  /// name it.
  private static let own: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-digest",
    "content-disposition", "content-encoding", "content-language", "content-type", "digest",
    "idempotency-key",
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma", "prefer",
    "priority",
    "range", "repr-digest", "traceparent", "tracestate", "user-agent", "want-content-digest",
    "want-repr-digest",
  ]

  /// What no rule may add: the session sets the user of a request, and a rule must not be met by a request
  /// whose fields name another host, path or method. These are the fields that widespread servers, proxies
  /// and frameworks read for it.
  private static let refused: Set<String> = Set([
    "host", "forwarded", "x-http-method", "x-http-method-override", "x-method-override", "x-original-host",
    "x-original-method", "x-original-uri", "x-original-url", "x-rewrite-url",
  ]).union(SensitiveFields.names)

  /// What a server gives back as, or about, a credential.
  private static let hidden: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info",
  ]

  /// Whether a field may be set under every rule.
  package static func isOwn(_ name: String) -> Bool { own.contains(name.asciiLowercased) }

  /// Whether a rule may add the field.
  package static func mayBeAdded(_ name: String) -> Bool {
    let name = variable(name)
    return !refused.contains(name) && !name.hasPrefix("x-forwarded-")
  }

  /// The fields, in lower case, that a rule has to add.
  static func added(in fields: [HeaderField]) -> Set<String> {
    Set(fields.lazy.map(\.name.asciiLowercased).filter { !own.contains($0) })
  }

  /// Whether a server could take one of the fields for one of the session's.
  static func replace(_ ours: Set<String>, _ given: Set<String>) -> Bool {
    guard !ours.isEmpty, !given.isEmpty else { return false }
    return !Set(ours.map(variable)).isDisjoint(with: given.map(variable))
  }

  /// The field whose variable is the same in CGI (RFC 3875 §4.1.18), WSGI and Rack, which know no hyphen, and
  /// in servers that take a `_` for every other sign.
  private static func variable(_ name: String) -> String {
    String(
      decoding: name.asciiLowercased.utf8.map { byte in
        let isPlain =
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        return isPlain ? byte : UInt8(ascii: "-")
      }, as: UTF8.self)
  }

  /// The fields of a response as a restricted connection sees them.
  package static func shown(_ fields: [HeaderField]) -> [HeaderField] {
    fields.filter { !hidden.contains($0.name.asciiLowercased) }
  }
}
